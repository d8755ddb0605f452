#include "render/html/strip.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "algo/page_sections.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "render/format.hpp"
#include "render/html/html.hpp"
#include "render/plots/ticks.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr double kScale = 20000;  // units of a strip's whole width
constexpr std::size_t kHues = 4;  // classes of kernels with a colour of their own
constexpr double kLeast = 0.01;   // of the kernels' time, for one
constexpr double kRightOfMiddle = 0.5;
constexpr std::size_t kNamed = 2;  // idle times that are named

struct Piece {
  double start, duration, time;  ///< ns
  std::string kind, label, detail;
};

struct Lane {
  std::string name, role;
  std::vector<Piece> pieces;
};

struct Strip {
  double length = 0;  ///< ns
  std::string name, note;
  std::vector<Lane> lanes;
};

double number_of(const OwnedTable::Column& column, std::size_t row) {
  return column.type == CellType::kInteger ? static_cast<double>(column.integers[row]) : column.numbers[row];
}

Strip strip_of(const OwnedTable& table) {
  Strip strip;
  const auto text = [&](const char* name, std::size_t r) { return table.find(name)->texts[r]; };
  for (std::size_t r = 0; r < table.rows(); ++r) {
    const Piece piece{number_of(*table.find("start"), r),
                      number_of(*table.find("duration"), r),
                      number_of(*table.find("time"), r),
                      text("kind", r),
                      text("label", r),
                      text("detail", r)};
    const std::string lane = text("lane", r), role = text("role", r);
    if (role == "step") {
      strip.length = piece.duration;
      strip.name = lane;
      strip.note = piece.detail;
      continue;
    }
    if (strip.lanes.empty() || strip.lanes.back().name != lane || strip.lanes.back().role != role)
      strip.lanes.push_back({lane, role, {}});
    strip.lanes.back().pieces.push_back(piece);
  }
  return strip;
}

/// Colours of kinds: classes of kernels by their time, so that the largest has the strongest.
class Colours {
 public:
  explicit Colours(const std::vector<Strip>& strips) {
    std::map<std::string, double> times;
    double all = 0;
    for (const Strip& strip : strips) {
      for (const Lane& lane : strip.lanes) {
        for (const Piece& piece : lane.pieces) {
          if (lane.role != "work" || piece.kind == page::kCommunication) continue;
          times[piece.kind] += piece.time;
          all += piece.time;
        }
      }
    }
    std::vector<std::pair<double, std::string>> sorted;
    for (const auto& [kind, time] : times) sorted.emplace_back(-time, kind);
    std::ranges::sort(sorted);
    for (const auto& [time, kind] : sorted) {
      if (kinds_.size() < kHues && -time >= kLeast * all) kinds_.push_back(kind);
    }
    for (const Strip& strip : strips) {
      for (const Lane& lane : strip.lanes) {
        for (const Piece& piece : lane.pieces) sums_[class_of(lane, piece.kind)] += piece.time;
      }
    }
  }

  /// CSS class of a shape.
  [[nodiscard]] std::string class_of(const Lane& lane, const std::string& kind) const {
    if (lane.role == "host") return "rg";
    if (lane.role == "wait") return "wt";
    if (lane.role == "phase") return "ph";
    if (lane.role == "copies") return "cp";
    if (lane.role == "idle") return kind == "host" || kind == "launch" || kind == "calls" ? "ih" : "io";
    if (kind == page::kCommunication) return "cm";
    const auto at = std::ranges::find(kinds_, kind);
    return "k" + std::to_string(at == kinds_.end() ? kHues : static_cast<std::size_t>(at - kinds_.begin()));
  }

  /// `times`: also their sums, which sides of a comparison do not share.
  [[nodiscard]] std::string legend(bool times) const {
    std::vector<std::pair<std::string, std::string>> entries;
    for (std::size_t k = 0; k < kinds_.size(); ++k) entries.emplace_back("k" + std::to_string(k), kinds_[k]);
    entries.insert(entries.end(), {{"k" + std::to_string(kHues), "other kernels"},
                                   {"cm", std::string(page::kCommunication)},
                                   {"cp", "copies and sets"},
                                   {"ih", "idle for the host"},
                                   {"io", "idle, other"},
                                   {"wt", "host waits"}});
    std::string out = "<ul class=\"legend\">";
    for (const auto& [css, word] : entries) {
      const auto sum = sums_.find(css);
      if (sum == sums_.end()) continue;
      out += fmt::format("<li><i class=\"key {}\"></i>{}{}</li>", css, html(word),
                         times ? " " + html(time_text(sum->second)) : "");
    }
    return out + "</ul>\n";
  }

 private:
  std::vector<std::string> kinds_;
  std::map<std::string, double> sums_;
};

/// Text that a piece shows if it has room: rules of the page hide what is wider than it.
std::string label_text(const std::string& label, double left, double width) {
  constexpr std::size_t kMost = 60;
  constexpr double kLetter = 6.3, kPadding = 10;
  const std::string shown = shortened(one_line(label), kMost);
  const int needed =
      static_cast<int>(std::ceil((static_cast<double>(display_width(shown)) * kLetter + kPadding) / 8)) * 8;
  return fmt::format("<div class=\"t\" style=\"left:{}%;width:{}%\"><span class=\"w{}\">{}</span></div>",
                     fixed(left, 3), fixed(width, 3), needed, html(shown));
}

class Drawer {
 public:
  Drawer(const Strip& strip, double whole, const Colours& colours, bool compact)
      : strip_(strip), whole_(whole), colours_(colours), compact_(compact) {}

  std::string str() const {
    std::string out;
    for (std::size_t l = 0; l < strip_.lanes.size(); ++l) {
      const Lane& lane = strip_.lanes[l];
      if (lane.role == "wait") continue;  // drawn over the ranges
      const Lane* const waits = l == 0 ? waits_of() : nullptr;
      out += fmt::format("<div class=\"lab\">{}</div><div class=\"lane {}\">{}{}</div>\n", html(lane.name), lane.role,
                         shapes(lane), labels(lane) + (waits == nullptr ? "" : shapes(*waits) + labels(*waits)));
    }
    return out;
  }

 private:
  const Lane* waits_of() const {
    const auto at = std::ranges::find(strip_.lanes, "wait", &Lane::role);
    return at == strip_.lanes.end() ? nullptr : &*at;
  }
  [[nodiscard]] double place(double ns) const { return ns / whole_; }

  [[nodiscard]] std::string hover_text(const Piece& piece) const {
    return filled("{}: {} at {}", {piece.detail, time_text(piece.time), time_text(piece.start)});
  }

  /// "stream 7: matmul 40 ms, softmax 21 ms".
  std::string description(const Lane& lane) const {
    constexpr std::size_t kMost = 6;
    std::map<std::string, double> sums;
    for (const Piece& piece : lane.pieces)
      sums[lane.role == "work" || lane.role == "copies" || lane.role == "idle" ? piece.kind : piece.label] +=
          piece.time;
    std::vector<std::pair<double, std::string>> sorted;
    for (const auto& [kind, time] : sums) sorted.emplace_back(-time, kind);
    std::ranges::sort(sorted);
    std::string out = (lane.name.empty() ? "ranges within" : lane.name) + ": ";
    for (std::size_t i = 0; i < std::min(kMost, sorted.size()); ++i)
      out += filled(i > 0 ? ", {} {}" : "{} {}", {sorted[i].second, time_text(-sorted[i].first)});
    return out;
  }

  std::string shapes(const Lane& lane) const {
    std::string out =
        fmt::format("<svg viewBox=\"0 0 {:.0f} 10\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">",
                    kScale, html(description(lane)));
    std::map<std::string, std::string> paths;
    for (const Piece& piece : lane.pieces) {
      const double x = std::round(kScale * place(piece.start));
      const double width = std::max(1.0, std::round(kScale * place(piece.start + piece.duration)) - x);
      const std::string css = colours_.class_of(lane, piece.kind);
      if (compact_)
        paths[css] += fmt::format("M{:.0f} 0h{:.0f}v10h-{:.0f}z", x, width, width);
      else
        out += fmt::format("<rect class=\"{}\" x=\"{:.0f}\" width=\"{:.0f}\" height=\"10\"><title>{}</title></rect>",
                           css, x, width, html(hover_text(piece)));
    }
    for (const auto& [css, path] : paths) out += fmt::format("<path class=\"{}\" d=\"{}\"/>", css, path);
    return out + "</svg>";
  }

  std::string labels(const Lane& lane) const {
    std::string out;
    if (lane.role == "idle") return idle_labels(lane);
    constexpr double kRoom = 0.01;
    for (const Piece& piece : lane.pieces) {
      if (!piece.label.empty() && place(piece.duration) >= kRoom)
        out += label_text(piece.label, 100 * place(piece.start), 100 * place(piece.duration));
    }
    return out;
  }

  /// The longest are named below the lane, where they do not touch.
  std::string idle_labels(const Lane& lane) const {
    constexpr double kApart = 0.35;
    std::vector<const Piece*> longest;
    for (const Piece& piece : lane.pieces) longest.push_back(&piece);
    std::ranges::stable_sort(longest, std::ranges::greater(), [](const Piece* p) { return p->duration; });
    std::string out;
    std::vector<double> taken;
    for (const Piece* piece : longest) {
      if (taken.size() == kNamed || piece->label.empty()) break;
      const double at = place(piece->start);
      if (std::ranges::any_of(taken, [&](double other) { return std::abs(other - at) < kApart; })) continue;
      taken.push_back(at);
      const std::string text = html(shortened(one_line(piece->label), 44) + ", " + time_text(piece->duration));
      out +=
          at > kRightOfMiddle
              ? fmt::format("<div class=\"t free\" style=\"right:{}%\"><span>{}</span></div>",
                            fixed(std::max(0.0, 100 * (1 - place(piece->start + piece->duration))), 2), text)
              : fmt::format("<div class=\"t free\" style=\"left:{}%\"><span>{}</span></div>", fixed(100 * at, 2), text);
    }
    return out;
  }

  const Strip& strip_;
  double whole_;
  const Colours& colours_;
  bool compact_;
};

std::string axis_of(double whole) {
  const DisplayUnit unit = display_unit(whole, "ns");
  NumberRange range{0, whole / unit.factor};
  const DrawnAxis axis = number_axis(range, PlotAxis{}, true);
  std::string lines, words;
  std::size_t n = 0;
  for (const DrawnTick& tick : axis.ticks) {
    const double at = 100 * tick.at * unit.factor / whole;
    if (at < 0 || at > 100.01) continue;
    lines += fmt::format("<s style=\"left:{}%\"></s>", fixed(at, 3));
    words += fmt::format("<span{} style=\"left:{}%\">{}{}</span>",
                         n % 2 == 1 ? " class=\"odd\""
                         : at > 97  ? " class=\"end\""
                                    : "",
                         fixed(at, 3), html(tick.label), n == 0 ? " " + std::string(unit.name) : "");
    ++n;
  }
  return fmt::format("<div class=\"gl\" aria-hidden=\"true\">{}</div>\n<div class=\"axis\">{}</div>\n", lines, words);
}

}  // namespace

std::string strip_figure(const std::vector<StripSide>& sides, bool compact) {
  std::vector<Strip> strips;
  double whole = 0;
  for (const StripSide& side : sides) {
    if (side.table == nullptr) continue;
    strips.push_back(strip_of(*side.table));
    whole = std::max(whole, strips.back().length);
  }
  if (whole <= 0 || strips.size() != sides.size()) return {};
  const Colours colours(strips);
  std::string out = "<figure class=\"step\">";
  if (sides.size() == 1 && sides[0].name.empty())
    out += fmt::format("<p class=\"sub\">{}{}</p>", html(strips[0].name),
                       strips[0].note.empty() ? "" : html(", " + strips[0].note));
  out += colours.legend(sides.size() == 1) + "<div class=\"strip\">";
  for (std::size_t s = 0; s < strips.size(); ++s) {
    if (!sides[s].name.empty())
      out += fmt::format("<div class=\"side\">{} <small>{}</small></div>", html(sides[s].name),
                         html(time_text(strips[s].length) + (strips[s].note.empty() ? "" : ", " + strips[s].note)));
    out += Drawer(strips[s], whole, colours, compact).str();
  }
  return out + axis_of(whole) + "</div></figure>\n";
}

}  // namespace assay
