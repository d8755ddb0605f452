#include "render/plots/drawing.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "render/format.hpp"
#include "render/plots/palette.hpp"
#include "render/plots/short_paths.hpp"
#include "render/plots/ticks.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Index of a name in a list; appends a new one.
std::size_t index_in(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::ranges::find(names, name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

/// A row of a layer before facet, category and unit are applied.
struct RawRow {
  std::size_t layer, facet;  ///< facet kNoColumn: in all facets
  double x, y, lo, hi, size;
  std::string x_name, y_name;
  std::size_t series;
  std::string label;
};

/// Converts a checked plot into a drawing, step by step.
class Resolver {
 public:
  Resolver(const OwnedPlot& plot, const std::vector<PlotReference>& claimed) : plot_(plot), claimed_(claimed) {}

  Drawing resolve() {
    read_rows();
    if (facets_.empty()) facets_.emplace_back();
    scale_units();
    x_names_ = categories(plot_.x, true, kNoColumn);
    y_names_ = categories(plot_.y, false, kNoColumn);
    for (std::size_t f = 0; f < facets_.size(); ++f) out_.facets.push_back(facet(f));
    set_axes();
    set_places();
    shorten_names();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool text_axis(bool x) const {
    const OwnedLayer& layer = plot_.layers.front();
    return layer.data.columns[x ? layer.channels.x : layer.channels.y].type == CellType::kText;
  }

  static std::string row_label(const OwnedLayer& layer, std::size_t row) {
    std::string text;
    for (const OwnedTable::Column& column : layer.data.columns) {
      const std::string cell = column.type == CellType::kText       ? column.texts[row]
                               : std::isnan(number_at(column, row)) ? std::string()
                                                                    : quantity(number_at(column, row), column.unit);
      if (!cell.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : "; ", column.name, cell);
    }
    return one_line(text);
  }

  void read_rows() {
    out_.series_title = plot_.series_title;
    for (std::size_t l = 0; l < plot_.layers.size(); ++l) {
      const OwnedLayer& layer = plot_.layers[l];
      const LayerChannels& c = layer.channels;
      const auto number = [&](std::size_t column, std::size_t r) {
        return column == kNoColumn ? kNoNumber : number_at(layer.data.columns[column], r);
      };
      const auto text = [&](std::size_t column, std::size_t r) {
        const bool has = column != kNoColumn && layer.data.columns[column].type == CellType::kText;
        return has ? one_line(layer.data.columns[column].texts[r]) : std::string();
      };
      for (std::size_t r = 0; r < layer.data.rows(); ++r) {
        RawRow row{l,
                   kNoColumn,
                   number(c.x, r),
                   number(c.y, r),
                   number(c.lo, r),
                   number(c.hi, r),
                   number(c.size, r),
                   text(c.x, r),
                   text(c.y, r),
                   0,
                   {}};
        const bool drawn = (text_axis(true) || !std::isnan(row.x)) && (text_axis(false) || !std::isnan(row.y));
        if (c.facet != kNoColumn) row.facet = index_in(facets_, text(c.facet, r));
        if (c.series != kNoColumn) row.series = index_in(out_.series, text(c.series, r));
        if (!drawn) continue;
        if (row.size > largest_size_) largest_size_ = row.size;
        row.label = row_label(layer, r);
        rows_.push_back(std::move(row));
      }
      if (layer.mark == PlotMark::kPoint)
        out_.has_points = true;
      else if (layer.mark == PlotMark::kBar)
        out_.has_bars = true;
      else
        out_.has_lines = true;
    }
  }

  /// Areas of points are comparable across all layers and facets.
  [[nodiscard]] double radius_of(const RawRow& row) const {
    if (std::isnan(row.size)) return kPointRadius;
    const double share = largest_size_ > 0 ? std::max(row.size, 0.0) / largest_size_ : 0;
    return std::max(kMinRadius, kLargestRadius * std::sqrt(share));
  }

  /// Converts numbers to display units, chosen by the largest of all facets.
  void scale_units() {
    const OwnedLayer& first = plot_.layers.front();
    const auto title = [](const PlotAxis& axis, std::string_view unit) {
      std::string name = axis.title;
      if ((axis.flags & kAxisShares) != 0) return name;
      std::string in(unit == "1" ? "" : unit);
      if (axis.scale == PlotScale::kLog) in += in.empty() ? "log scale" : ", log scale";
      return in.empty() ? name : fmt::format("{} ({})", name, in);
    };
    for (const bool on_x : {true, false}) {
      const std::string& unit = first.data.columns[on_x ? first.channels.x : first.channels.y].unit;
      (on_x ? out_.x_title : out_.y_title) = title(on_x ? plot_.x : plot_.y, unit);
      if (text_axis(on_x)) continue;
      double largest = 0;
      for (const RawRow& row : rows_) largest = std::max(largest, std::abs(on_x ? row.x : row.y));
      const DisplayUnit shown = display_unit(largest, unit);
      factor_[on_x ? 0 : 1] = shown.factor;
      if (!shown.name.empty()) (on_x ? out_.x_title : out_.y_title) = title(on_x ? plot_.x : plot_.y, shown.name);
    }
    const double bounds = factor_[text_axis(false) ? 0 : 1];
    for (RawRow& row : rows_) {
      row.x /= factor_[0];
      row.y /= factor_[1];
      row.lo /= bounds;
      row.hi /= bounds;
    }
  }

  /// Sorted names of a category axis, of one facet or (kNoColumn) of all.
  std::vector<std::string> categories(const PlotAxis& axis, bool on_x, std::size_t facet) const {
    std::vector<std::string> names;
    if (!text_axis(on_x)) return names;
    std::map<std::string, std::pair<double, double>> sums;
    for (const RawRow& row : rows_) {
      if (facet != kNoColumn && row.facet != kNoColumn && row.facet != facet) continue;
      const std::string& name = on_x ? row.x_name : row.y_name;
      index_in(names, name);
      if (row.layer != 0) continue;
      auto& [sum, count] = sums[name];
      sum += on_x ? row.y : row.x;
      count += 1;
    }
    if (axis.order == PlotOrder::kGiven) return names;
    const auto mean = [&](const std::string& name) {
      const auto at = sums.find(name);
      return at == sums.end() ? 0 : at->second.first / at->second.second;
    };
    std::ranges::stable_sort(names, [&](const std::string& a, const std::string& b) {
      return axis.order == PlotOrder::kAscending ? mean(a) < mean(b) : mean(b) < mean(a);
    });
    return names;
  }

  DrawnFacet facet(std::size_t f) const {
    DrawnFacet out;
    out.name = facets_[f];
    const auto named = [&](const PlotAxis& axis, bool on_x, const std::vector<std::string>& all) {
      return (axis.flags & kAxisFree) != 0 ? categories(axis, on_x, f) : all;
    };
    out.x.names = named(plot_.x, true, x_names_);
    out.y.names = named(plot_.y, false, y_names_);
    out.x.categories = text_axis(true);
    out.y.categories = text_axis(false);
    for (std::size_t l = 0; l < plot_.layers.size(); ++l) out.layers.push_back(layer(l, f, out));
    const auto add = [&](const PlotReference& r, bool claimed) {
      const double factor = factor_[r.on_y ? 1 : 0];
      if (r.facet.empty() || one_line(r.facet) == out.name)
        out.references.push_back({r.on_y, r.from / factor, r.to / factor, one_line(r.label), claimed});
    };
    for (const PlotReference& r : plot_.references) add(r, false);
    for (const PlotReference& r : claimed_) add(r, true);
    // Lines above bands.
    std::stable_partition(out.references.begin(), out.references.end(),
                          [](const DrawnReference& r) { return !r.is_line(); });
    return out;
  }

  DrawnLayer layer(std::size_t l, std::size_t f, const DrawnFacet& within) const {
    const bool has_series = plot_.layers[l].channels.series != kNoColumn;
    const bool sized = plot_.layers[l].channels.size != kNoColumn;
    DrawnLayer out{plot_.layers[l].mark, out_.series.empty() || has_series, {}, sized};
    const auto index = [](const std::vector<std::string>& names, const std::string& name) {
      return static_cast<double>(std::ranges::find(names, name) - names.begin());
    };
    for (const RawRow& row : rows_) {
      if (row.layer != l || (row.facet != kNoColumn && row.facet != f)) continue;
      out.rows.push_back({within.x.categories ? index(within.x.names, row.x_name) : row.x,
                          within.y.categories ? index(within.y.names, row.y_name) : row.y, row.lo, row.hi, 0, 0,
                          row.series, radius_of(row), row.label});
    }
    if (out.mark == PlotMark::kBar) {
      stack(out.rows, within.y.categories);
    } else if (out.mark != PlotMark::kPoint) {
      std::ranges::stable_sort(out.rows, [](const DrawnRow& a, const DrawnRow& b) {
        return std::tie(a.series, a.x) < std::tie(b.series, b.x);
      });
    }
    return out;
  }

  static void stack(std::vector<DrawnRow>& rows, bool horizontal) {
    std::ranges::stable_sort(rows, [](const DrawnRow& a, const DrawnRow& b) { return a.series < b.series; });
    std::map<double, double> tops;
    for (DrawnRow& row : rows) {
      if (std::isfinite(row.lo) && std::isfinite(row.hi)) {  // a bar of its own, from one value to the other
        row.from = row.lo;
        row.to = row.hi;
        continue;
      }
      double& top = tops[horizontal ? row.y : row.x];
      row.from = top;
      top += horizontal ? row.x : row.y;
      row.to = top;
    }
  }

  void shorten_names() {
    std::vector<std::string*> facets, categories;
    for (DrawnFacet& facet : out_.facets) {
      if (!facet.name.empty()) facets.push_back(&facet.name);
      for (std::string& name : facet.x.names) categories.push_back(&name);
      for (std::string& name : facet.y.names) categories.push_back(&name);
    }
    shorten_paths(facets);
    shorten_paths(categories);
  }

  /// Uses the run's colours unless two series of this plot would look alike.
  void set_places() {
    std::set<std::size_t> colours;
    for (const std::string& name : out_.series) {
      const auto at =
          std::ranges::find_if(plot_.alike, [&](const std::string& other) { return one_line(other) == name; });
      out_.places.push_back(static_cast<std::size_t>(at - plot_.alike.begin()));
      colours.insert(colour_of(out_.places.back()));
    }
    if (!plot_.alike.empty() && colours.size() == std::min(out_.series.size(), kSeriesColours)) return;
    std::iota(out_.places.begin(), out_.places.end(), std::size_t{0});
  }

  void set_axes() {
    for (const bool on_x : {true, false}) {
      if (text_axis(on_x)) continue;
      const PlotAxis& axis = on_x ? plot_.x : plot_.y;
      const bool is_free = (axis.flags & kAxisFree) != 0;
      NumberRange all = NumberRange::nothing();
      for (const DrawnFacet& facet : out_.facets) extend(all, facet, on_x);
      for (DrawnFacet& facet : out_.facets) {
        NumberRange own = NumberRange::nothing();
        extend(own, facet, on_x);
        DrawnAxis& made = on_x ? facet.x : facet.y;
        made = number_axis(is_free ? own : all, axis, out_.has_bars && measured(on_x));
        if (!measured(on_x)) tick_at(made, levels());
      }
    }
  }

  /// x values of all rows.
  [[nodiscard]] std::vector<double> levels() const {
    std::vector<double> values;
    for (const RawRow& row : rows_) values.push_back(row.x);
    return values;
  }

  /// Whether this is the measured axis: bars grow along it, and intervals are parallel to it.
  [[nodiscard]] bool measured(bool on_x) const { return on_x == text_axis(false); }

  /// Bands do not widen an axis; reference lines and ends of claimed ranges do.
  void extend(NumberRange& range, const DrawnFacet& facet, bool on_x) const {
    for (const DrawnLayer& layer : facet.layers) {
      for (const DrawnRow& row : layer.rows) {
        const double value = on_x ? row.x : row.y;
        range.include(layer.mark == PlotMark::kBar && measured(on_x) ? row.to : value);
        if (!measured(on_x)) continue;
        range.include(row.lo);
        range.include(row.hi);
      }
    }
    for (const DrawnReference& r : facet.references) {
      if (r.on_y == on_x || !(r.is_line() || r.claimed)) continue;
      for (const double end : {r.from, r.to}) {
        if (std::isfinite(end)) range.include(end);
      }
    }
  }

  const OwnedPlot& plot_;
  const std::vector<PlotReference>& claimed_;
  Drawing out_;
  std::vector<RawRow> rows_;
  std::vector<std::string> facets_, x_names_, y_names_;
  double largest_size_ = 0;
  double factor_[2] = {1, 1};
};

}  // namespace

double DrawnAxis::to_unit(double value) const {
  if (categories) return (value + 0.5) / static_cast<double>(std::max<std::size_t>(names.size(), 1));
  if (log) return std::log(value / lo) / std::log(hi / lo);
  return (value - lo) / (hi - lo);
}

std::size_t Drawing::marks(PlotMark mark) const {
  std::size_t count = 0;
  for (const DrawnFacet& facet : facets) {
    for (const DrawnLayer& layer : facet.layers) count += layer.mark == mark ? layer.rows.size() : 0;
  }
  return count;
}

Drawing drawing_of(const OwnedPlot& plot, const std::vector<PlotReference>& claimed) {
  return Resolver(plot, claimed).resolve();
}

std::string plot_description(const OwnedPlot& plot, const Drawing& drawing) {
  std::string text = fmt::format("{}. Horizontal: {}; vertical: {}. ", plot.title, drawing.x_title, drawing.y_title);
  const auto some = [&](PlotMark mark, const char* noun) {
    const std::size_t count = drawing.marks(mark);
    if (count > 0) text += counted(count, noun) + ", ";
  };
  some(PlotMark::kPoint, "point");
  some(PlotMark::kBar, "bar");
  if (drawing.has_lines) text += "lines, ";
  if (drawing.facets.size() > 1) text += counted(drawing.facets.size(), "panel") + ", ";
  text += "all in the facts.";
  return one_line(text);
}

PlotLayout layout_of(const Drawing& drawing) {
  constexpr double kMaxLabel = 340;
  const bool named = drawing.facets.front().y.categories;
  std::size_t longest = 4, rows = 1;
  for (const DrawnFacet& facet : drawing.facets) {
    rows = std::max(rows, facet.y.names.size());
    for (const std::string& name : facet.y.names) longest = std::max(longest, display_width(name));
    for (const DrawnTick& tick : facet.y.ticks) longest = std::max(longest, display_width(tick.label));
  }
  PlotLayout layout{};
  layout.label_width = std::min(kMaxLabel, kCharacterWidth * static_cast<double>(longest) + 12) + 22;
  layout.right = 18;
  layout.least_width = layout.label_width + layout.right + 190;
  layout.height = drawing.facets.size() > 1 ? 210 : 270;
  if (named) {
    layout.characters = static_cast<std::size_t>((layout.label_width - 30) / kCharacterWidth);
    std::size_t lines = 1;
    for (const DrawnFacet& facet : drawing.facets) {
      for (const std::string& name : facet.y.names) lines = std::max(lines, wrapped(name, layout.characters).size());
    }
    layout.height = static_cast<double>(rows) * std::max(kNameRow, kNameLine * static_cast<double>(lines) + 5) + 6;
  }
  layout.most_columns = std::min<std::size_t>(drawing.facets.size(), 4);
  return layout;
}

}  // namespace assay
