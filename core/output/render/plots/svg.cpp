#include "render/plots/svg.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "files/utf8.hpp"
#include "render/format.hpp"
#include "render/plots/palette.hpp"
#include "render/plots/svg_shapes.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr double kWidth = 760, kSmallWidth = 460, kSmallHeight = 330, kBold = 1.15, kTitle = 22, kBelow = 44,
                 kLegendRow = 18, kGap = 14;

/// Writes one drawing, facet by facet.
class SvgWriter {
 public:
  SvgWriter(const OwnedPlot& plot, const Drawing& drawing, double width = kWidth)
      : plot_(plot), drawing_(drawing), layout_(layout_of(drawing)), full_(width) {
    const auto fitting = static_cast<std::size_t>(full_ / layout_.least_width);
    columns_ = std::clamp<std::size_t>(fitting, 1, layout_.most_columns);
    cell_ = std::floor(full_ / static_cast<double>(columns_));
    width_ = std::max(120.0, cell_ - layout_.label_width - layout_.right);
    full_ = std::max(full_, static_cast<double>(columns_) * (width_ + layout_.label_width + layout_.right));
  }

  std::string write(bool with_style) {
    legend();
    const DrawnFacet& first = drawing_.facets.front();
    const bool named = first.y.categories || !first.name.empty();
    const double row = (named ? kTitle : 6) + layout_.height + kBelow + kGap;
    const std::size_t shown = std::min(drawing_.facets.size(), most_rows(row) * columns_);
    for (std::size_t f = 0; f < shown; ++f) {
      const double x = cell_ * static_cast<double>(f % columns_) + layout_.label_width;
      const std::size_t line = f / columns_;
      const double y = top_ + row * static_cast<double>(line) + (named ? kTitle : 6);
      facet(drawing_.facets[f], x, y);
    }
    const std::size_t rows = (shown + columns_ - 1) / columns_;
    const double height = top_ + row * static_cast<double>(rows) - kGap;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"assay-plot\" role=\"img\" width=\"{}\" height=\"{}\" "
        "viewBox=\"0 0 {} {}\">",
        px(full_), px(height), px(full_), px(height));
    out += fmt::format("<title>{}</title><desc>{}</desc>", xml(plot_.title), xml(plot_description(plot_, drawing_)));
    if (with_style) out += "<style>" + svg_style() + "</style><rect class=\"ground\" width=\"100%\" height=\"100%\"/>";
    return out + body_ + "</svg>";
  }

 private:
  /// A small drawing leaves out facets that do not fit.
  [[nodiscard]] std::size_t most_rows(double height) const {
    if (!is_small()) return drawing_.facets.size();
    return std::max<std::size_t>(1, static_cast<std::size_t>((kSmallHeight - top_) / height));
  }
  [[nodiscard]] bool is_small() const { return full_ < kWidth; }
  /// Right-aligns text that would be cut at the right edge.
  void within(double x, double y, std::string_view anchor, std::string_view classes, std::string_view words) {
    const double taken = kBold * kCharacterWidth * static_cast<double>(display_width(words));
    const bool cut = is_small() && x + (anchor == "middle" ? taken / 2 : taken) > full_;
    text(cut ? full_ - 2 : x, y, cut ? "end" : anchor, classes, words);
  }
  void text(double x, double y, std::string_view anchor, std::string_view classes, std::string_view words,
            std::string_view more = {}) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" class=\"{}\"{}>{}</text>", px(x), px(y),
                         std::string(anchor), std::string(classes), std::string(more), xml(words));
  }

  void line(double x1, double y1, double x2, double y2, const std::string& classes) {
    body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>", px(x1), px(y1), px(x2), px(y2),
                         classes);
  }

  /// Keys of series, of points without an interval and of bands, in rows.
  void legend() {
    double x = 4, y = 12;
    if (!drawing_.series_title.empty()) {
      text(x, y, "start", "muted", drawing_.series_title);
      x += kCharacterWidth * static_cast<double>(display_width(drawing_.series_title)) + 14;
    }
    const auto entry = [&](const std::string& words, auto&& draw) {
      const double taken = kCharacterWidth * static_cast<double>(display_width(words)) + 40;
      if (x + taken > full_ && x > 4) {
        x = 4;
        y += kLegendRow;
      }
      draw(x + 8, y - 4);
      text(x + 22, y, "start", "word", words);
      x += taken;
      top_ = y + 10;
    };
    for (std::size_t s = 0; s < drawing_.series.size(); ++s)
      entry(drawing_.series[s], [&](double at, double middle) { key(at, middle, s); });
    if (has_open_points())
      entry("no interval",
            [&](double at, double middle) { body_ += shape_path(0, at, middle, kPointRadius, "on", {}); });
    for (const bool claimed : {false, true}) {
      const DrawnReference* band = first_band(claimed);
      if (band == nullptr) continue;
      entry(claimed ? "claimed range" : band->label, [&](double at, double middle) {
        body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"10\" class=\"{}\"/>", px(at - 9),
                             px(middle - 5), claimed ? "claim" : "band");
      });
    }
  }

  /// Among points with intervals, one without is hollow, because it decides nothing.
  [[nodiscard]] bool is_open(const DrawnRow& row) const {
    return has_intervals_ && !(std::isfinite(row.lo) && std::isfinite(row.hi));
  }
  [[nodiscard]] bool has_open_points() const {
    return std::ranges::any_of(drawing_.facets, [&](const DrawnFacet& facet) {
      if (is_small() && &facet != &drawing_.facets.front()) return false;
      return std::ranges::any_of(facet.layers, [&](const DrawnLayer& layer) {
        return layer.mark == PlotMark::kPoint &&
               std::ranges::any_of(layer.rows, [&](const DrawnRow& row) { return is_open(row); });
      });
    });
  }
  /// First drawn band with a label; null: there is none.
  [[nodiscard]] const DrawnReference* first_band(bool claimed) const {
    for (const DrawnFacet& facet : drawing_.facets) {
      for (const DrawnReference& r : facet.references) {
        if (r.claimed == claimed && !r.is_line() && !r.label.empty()) return &r;
      }
    }
    return nullptr;
  }

  void key(double x, double y, std::size_t s) {
    if (drawing_.has_points) {
      body_ += shape_path(shape_of_series(drawing_.places[s]), x, y, 4.2,
                          "f" + std::to_string(colour_of(drawing_.places[s])), {});
    } else if (drawing_.has_bars) {
      body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" class=\"f{}\"/>", px(x - 5), px(y - 5),
                           colour_of(drawing_.places[s]));
    } else {
      line(x - 9, y, x + 9, y, "l" + std::to_string(colour_of(drawing_.places[s])));
    }
  }

  void facet(const DrawnFacet& facet, double x, double y) {
    x_ = x;
    y_ = y;
    const double room = columns_ > 1 ? cell_ - 30 : full_ - 4;  // up to the axis title of the next panel
    const auto fits = static_cast<std::size_t>(room / (kBold * kCharacterWidth));
    if (!facet.name.empty()) within(x, y - 8, "start", "facet", shortened(facet.name, fits));
    for (const DrawnReference& r : facet.references) reference(facet, r);
    axes(facet);
    for (const DrawnLayer& layer : facet.layers) {
      if (layer.mark == PlotMark::kBar)
        bars(facet, layer);
      else if (layer.mark == PlotMark::kPoint)
        points(facet, layer);
      else
        lines(facet, layer);
    }
  }

  /// Rows of a plot without series have the first colour.
  [[nodiscard]] std::size_t position_of(std::size_t series) const {
    return drawing_.places.empty() ? series : drawing_.places[series];
  }
  [[nodiscard]] double at_x(const DrawnFacet& facet, double value) const {
    return x_ + width_ * facet.x.to_unit(value);
  }
  [[nodiscard]] double at_y(const DrawnFacet& facet, double value) const {
    const double place = facet.y.to_unit(value);
    return y_ + layout_.height * (facet.y.categories ? place : 1 - place);
  }

  void reference(const DrawnFacet& facet, const DrawnReference& r) {
    const DrawnAxis& axis = r.on_y ? facet.y : facet.x;
    const double from = std::max(r.from, axis.lo), to = std::min(r.to, axis.hi);
    if (from > to) return;
    const double a = r.on_y ? at_y(facet, to) : at_x(facet, from), b = r.on_y ? at_y(facet, from) : at_x(facet, to);
    if (r.claimed) return claimed(r, a, b);
    if (r.is_line()) {
      r.on_y ? line(x_, a, x_ + width_, a, "reference") : line(a, y_, a, y_ + layout_.height, "reference");
      return;
    }
    const double x = r.on_y ? x_ : a, y = r.on_y ? a : y_;
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"band\"><title>{}</title></rect>",
                         px(x), px(y), px(r.on_y ? width_ : b - a), px(r.on_y ? b - a : layout_.height), xml(r.label));
  }

  /// From `a` to `b` px, with a line at each claimed end; if one side is open only the line.
  void claimed(const DrawnReference& r, double a, double b) {
    const double x = r.on_y ? x_ : a, y = r.on_y ? a : y_;
    if (std::isfinite(r.from) && std::isfinite(r.to))
      body_ +=
          fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"claim\"><title>{}</title></rect>",
                      px(x), px(y), px(r.on_y ? width_ : b - a), px(r.on_y ? b - a : layout_.height), xml(r.label));
    const auto end = [&](double at) {
      r.on_y ? line(x_, at, x_ + width_, at, "claim-end") : line(at, y_, at, y_ + layout_.height, "claim-end");
    };
    if (std::isfinite(r.from)) end(r.on_y ? b : a);
    if (std::isfinite(r.to) && !r.is_line()) end(r.on_y ? a : b);
  }

  void axes(const DrawnFacet& facet) {
    const double bottom = y_ + layout_.height;
    double free = -kWidth;  // min x of the next label
    for (const DrawnTick& tick : facet.x.ticks) {
      const double at = at_x(facet, tick.at);
      const double half = kCharacterWidth * static_cast<double>(display_width(tick.label)) / 2;
      line(at, y_, at, bottom, "grid");
      if (at - half < free) continue;
      text(at, bottom + 15, "middle", "tick", tick.label);
      free = at + half + kCharacterWidth;
    }
    for (const DrawnTick& tick : facet.y.ticks) {
      line(x_, at_y(facet, tick.at), x_ + width_, at_y(facet, tick.at), "grid");
      text(x_ - 7, at_y(facet, tick.at) + 4, "end", "tick", tick.label);
    }
    for (std::size_t i = 0; i < facet.x.names.size(); ++i) {
      text(at_x(facet, static_cast<double>(i)), bottom + 15, "middle", "tick", facet.x.names[i]);
    }
    for (std::size_t i = 0; i < facet.y.names.size(); ++i) {
      const std::vector<std::string> lines = wrapped(facet.y.names[i], layout_.characters);
      double y = at_y(facet, static_cast<double>(i)) + 4 - kNameLine * static_cast<double>(lines.size() - 1) / 2;
      for (const std::string& part : lines) {
        text(x_ - 7, y, "end", "tick", shortened(part, layout_.characters));  // a word longer than a line
        y += kNameLine;
      }
    }
    within(x_ + width_ / 2, bottom + 33, "middle", "axis", drawing_.x_title);
    if (facet.y.categories) return is_small() ? void() : text(x_ - 7, y_ - 8, "end", "axis", drawing_.y_title);
    const double left = x_ - layout_.label_width + 12, middle = y_ + layout_.height / 2;
    text(left, middle, "middle", "axis", drawing_.y_title,
         fmt::format(" transform=\"rotate(-90 {} {})\"", px(left), px(middle)));
  }

  void bars(const DrawnFacet& facet, const DrawnLayer& layer) {
    for (const DrawnRow& row : layer.rows) {
      const bool across = facet.y.categories;
      const DrawnAxis& slots = across ? facet.y : facet.x;
      const double slot =
          (across ? layout_.height : width_) / static_cast<double>(std::max<std::size_t>(slots.names.size(), 1));
      const double thick = slots.categories ? 0.75 * slot : 8;
      const double a = across ? at_x(facet, row.from) : at_y(facet, row.to);
      const double b = across ? at_x(facet, row.to) : at_y(facet, row.from);
      const double x = across ? a : at_x(facet, row.x) - thick / 2, y = across ? at_y(facet, row.y) - thick / 2 : a;
      body_ += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"bar f{}\"><title>{}</title></rect>", px(x), px(y),
          px(across ? b - a : thick), px(across ? thick : b - a), colour_of(position_of(row.series)), xml(row.label));
    }
  }

  void points(const DrawnFacet& facet, const DrawnLayer& layer) {
    for (const DrawnRow& row : layer.rows) {
      const std::string colour = std::to_string(colour_of(position_of(row.series)));
      const double x = at_x(facet, row.x), y = at_y(facet, row.y);
      if (std::isfinite(row.lo) && std::isfinite(row.hi)) {
        facet.y.categories ? line(at_x(facet, row.lo), y, at_x(facet, row.hi), y, "interval l" + colour)
                           : line(x, at_y(facet, row.lo), x, at_y(facet, row.hi), "interval l" + colour);
      }
      const char* large = row.radius > 2 * kPointRadius ? " large" : "";
      body_ += shape_path(shape_of_series(position_of(row.series)), x, y, row.radius,
                          (is_open(row) ? "o" : "f") + colour + large, row.label);
    }
  }

  /// Rows are sorted by (series, x): one path per series.
  void lines(const DrawnFacet& facet, const DrawnLayer& layer) {
    for (std::size_t begin = 0, end = 0; begin < layer.rows.size(); begin = end) {
      while (end < layer.rows.size() && layer.rows[end].series == layer.rows[begin].series) ++end;
      std::vector<PathPoint> middle, low, high;
      for (std::size_t i = begin; i < end; ++i) {
        const DrawnRow& row = layer.rows[i];
        const double x = at_x(facet, row.x);
        middle.push_back({x, at_y(facet, row.y)});
        if (!std::isfinite(row.lo) || !std::isfinite(row.hi)) continue;
        low.push_back({x, at_y(facet, row.lo)});
        high.push_back({x, at_y(facet, row.hi)});
      }
      const bool steps = layer.mark == PlotMark::kStep;
      const std::string colour =
          layer.coloured ? std::to_string(colour_of(position_of(layer.rows[begin].series))) : "n";
      if (low.size() > 1)
        body_ += fmt::format("<path d=\"{}\" class=\"area f{}\"/>", area_path(low, high, steps), colour);
      body_ += fmt::format("<path d=\"{}\" class=\"series l{}\"/>", line_path(middle, steps), colour);
    }
  }

  const OwnedPlot& plot_;
  const Drawing& drawing_;
  PlotLayout layout_;
  std::size_t columns_ = 1;
  double full_ = kWidth, cell_ = 0, width_ = 0, top_ = 0, x_ = 0, y_ = 0;
  bool has_intervals_ = std::ranges::any_of(plot_.layers, [](const OwnedLayer& layer) {
    return layer.mark == PlotMark::kPoint && layer.channels.lo != kNoColumn;
  });
  std::string body_;
};

std::string colours(const std::array<std::string_view, kSeriesColours>& palette, std::string_view rest) {
  std::string text;
  for (std::size_t i = 0; i < palette.size(); ++i) text += fmt::format("--s{}:{};", i, std::string(palette[i]));
  return text + std::string(rest);
}

}  // namespace

std::string svg_style() {
  std::string style = fmt::format(
      ".assay-plot{{{}font:11px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}}@media "
      "(prefers-color-scheme:dark){{.assay-plot{{{}}}}}@media print{{.assay-plot{{{}}}}}.assay-plot "
      "text{{fill:var(--word)}}.assay-plot .tick,.assay-plot .muted{{fill:var(--muted)}}.assay-plot "
      ".facet{{font-weight:600;font-size:12px}}.assay-plot .axis{{font-weight:500}}.assay-plot "
      ".grid{{stroke:var(--grid)}}.assay-plot .band{{fill:var(--band)}}.assay-plot "
      ".reference{{stroke:var(--muted);stroke-dasharray:4 3}}.assay-plot .ground{{fill:var(--ground)}}.assay-plot "
      ".claim{{fill:var(--claim);opacity:.13}}.assay-plot .claim-end{{stroke:var(--claim);stroke-dasharray:2 "
      "2;stroke-width:1.3}}.assay-plot .dots{{stroke-width:3.4;stroke-linecap:round;opacity:.55}}.assay-plot "
      "path.box{{fill:none;stroke-width:1.3}}.assay-plot .bar{{stroke:var(--ground)}}.assay-plot "
      ".interval{{stroke-width:1.6}}.assay-plot .series{{fill:none;stroke-width:1.8}}.assay-plot "
      ".area{{opacity:.14}}.assay-plot .large{{opacity:.6}}.assay-plot .ln{{stroke:var(--muted)}}.assay-plot "
      ".fn{{fill:var(--muted)}}.assay-plot .on{{fill:var(--ground);stroke:var(--muted);stroke-width:1.6}}",
      colours(kOnLight, "--word:#1f2328;--muted:#57606a;--grid:#e7e9ec;--band:#e3e6ea;--ground:#fff;--claim:#7a1fa2;"),
      colours(kOnDark,
              "--word:#e6e6e3;--muted:#a5a9ae;--grid:#33383e;--band:#3a3f46;--ground:#16191d;--claim:#d7a6f0;"),
      colours(kOnLight, "--word:#1f2328;--muted:#57606a;--grid:#e7e9ec;--band:#e3e6ea;--ground:#fff;--claim:#7a1fa2;"));
  for (std::size_t i = 0; i < kSeriesColours; ++i) {
    const std::string n = std::to_string(i);
    style += fmt::format(
        ".assay-plot .f{}{{fill:var(--s{})}}.assay-plot "
        ".o{}{{fill:var(--ground);stroke:var(--s{});stroke-width:1.6}}.assay-plot .l{}{{stroke:var(--s{});fill:none",
        n, n, n, n, n, n);
    if (!kDashes[i].empty()) style += ";stroke-dasharray:" + std::string(kDashes[i]);
    style += "}";
  }
  return style + ".assay-plot line.interval{stroke-dasharray:none}";
}

std::string svg_file(const OwnedPlot& plot, const Drawing& drawing) {
  return SvgWriter(plot, drawing).write(true) + "\n";
}

std::string svg_element(const OwnedPlot& plot, const Drawing& drawing) { return SvgWriter(plot, drawing).write(false); }

std::string small_svg(const OwnedPlot& plot, const Drawing& drawing) {
  return SvgWriter(plot, drawing, kSmallWidth).write(false);
}

std::string xml(std::string_view bytes) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  const std::string text = to_utf8(bytes);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F)
      out += kReplacement;
    else if (const std::string_view three(text.data() + i, std::min<std::size_t>(3, text.size() - i));
             three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {
      out += kReplacement;
      i += 2;
    }  // U+FFFE and U+FFFF
    else
      out += c;
  }
  return out;
}

}  // namespace assay
