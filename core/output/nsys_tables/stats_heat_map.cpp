#include "nsys_tables/stats_heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "render/format.hpp"
#include "render/html/html.hpp"
#include "render/plots/svg.hpp"
#include "render/plots/svg_shapes.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr double kWidth = 960, kTop = 46, kBelow = 44, kCharacter = 6.2, kMostLine = 22, kLeastLine = 4,
                 kReadableLine = 11, kDrawing = 1200;
constexpr double kWholeUse = 100;

/// Light where little ran, dark where much did: one hue, so that lightness alone tells.
std::string heat_colour(double use) {
  constexpr std::array<int, 3> kNone{237, 243, 250}, kAll{8, 48, 107};
  const double part = std::clamp(use / kWholeUse, 0.0, 1.0);
  std::string out = "#";
  for (std::size_t i = 0; i < kNone.size(); ++i) {
    const int value = kNone[i] + static_cast<int>(std::lround((kAll[i] - kNone[i]) * part));
    constexpr const char* kDigits = "0123456789abcdef";
    out += kDigits[value / 16];
    out += kDigits[value % 16];
  }
  return out;
}

struct Field {
  double start, duration, use;
};

struct Line {
  std::string name;  ///< "rank 0, GPU 0, process 5"
  std::string report;
  std::vector<Field> fields;
};

std::vector<Line> lines_of(const OwnedTable& table) {
  const auto *rank = table.find("Rank"), *report = table.find("Report"), *device = table.find("Device ID"),
             *process = table.find("PID"), *start = table.find("Start"), *duration = table.find("Duration"),
             *use = table.find("In-Use");
  std::vector<Line> lines;
  for (const auto* column : {rank, report, device, process, start, duration, use}) {
    if (column == nullptr) return lines;
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string name = "rank " + cell_text(*rank, row, false) + ", GPU " + cell_text(*device, row, false) +
                       ", process " + cell_text(*process, row, false);
    if (lines.empty() || lines.back().name != name) lines.push_back({std::move(name), report->texts[row], {}});
    lines.back().fields.push_back(
        {static_cast<double>(start->integers[row]), static_cast<double>(duration->integers[row]), use->numbers[row]});
  }
  return lines;
}

/// 1, 2 or 5 times a power of ten that cuts `range` into four to ten parts.
double step_of(double range) {
  const double magnitude = std::pow(10.0, std::floor(std::log10(range / 4)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (range / (magnitude * times) <= 10) return magnitude * times;
  }
  return magnitude * 10;
}

class HeatDrawing {
 public:
  explicit HeatDrawing(const std::vector<Line>& lines) : lines_(lines) {
    std::size_t widest = 0;
    first_ = lines.front().fields.front().start;
    last_ = first_ + 1;
    for (const Line& line : lines) {
      widest = std::max(widest, display_width(line.name));
      first_ = std::min(first_, line.fields.front().start);
      last_ = std::max(last_, line.fields.back().start + line.fields.back().duration);
    }
    line_ = std::clamp(kDrawing / static_cast<double>(lines.size()), kLeastLine, kMostLine);
    named_ = line_ >= kReadableLine;
    left_ = named_ ? kCharacter * static_cast<double>(widest) + 14 : 14;
    bottom_ = kTop + line_ * static_cast<double>(lines.size());
  }

  std::string str(const std::string& title) {
    legend();
    for (std::size_t l = 0; l < lines_.size(); ++l) draw(lines_[l], kTop + line_ * static_cast<double>(l));
    axis();
    const std::string height = px(bottom_ + kBelow), width = px(kWidth);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"" + width + "\" height=\"" + height +
           "\" viewBox=\"0 0 " + width + " " + height + "\" font-family=\"sans-serif\" font-size=\"11\"><title>" +
           xml(title) + "</title><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>" + body_ + "</svg>";
  }

 private:
  [[nodiscard]] double x_of(double time) const {
    return left_ + (time - first_) / (last_ - first_) * (kWidth - left_ - 14);
  }

  void text(double x, double y, const char* anchor, const std::string& words) {
    body_ += "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" text-anchor=\"" + anchor + "\" fill=\"#222222\">" +
             xml(words) + "</text>";
  }

  void box(double x, double y, double width, double height, double use, const std::string& label) {
    body_ += "<rect x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"" + px(width) + "\" height=\"" + px(height) +
             "\" fill=\"" + heat_colour(use) + "\"" +
             (label.empty() ? "/>" : "><title>" + xml(label) + "</title></rect>");
  }

  void draw(const Line& line, double y) {
    if (named_) text(left_ - 8, y + line_ / 2 + 4, "end", line.name);
    for (const Field& field : line.fields) {
      const double x = x_of(field.start);
      box(x, y, x_of(field.start + field.duration) - x, line_ - (named_ ? 2 : 0), field.use,
          line.name + ": " + fixed(field.use, 1) + " % in use for " + quantity(field.duration, "ns") + " from " +
              quantity(field.start, "ns"));
    }
  }

  void axis() {
    const DisplayUnit unit = display_unit(last_, "ns");
    const double step = step_of((last_ - first_) / unit.factor);
    const int digits = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    const double from = std::ceil(first_ / unit.factor / step);
    for (double k = from; k * step * unit.factor <= last_; ++k) {
      const double x = x_of(k * step * unit.factor);
      body_ += "<line x1=\"" + px(x) + "\" x2=\"" + px(x) + "\" y1=\"" + px(bottom_) + "\" y2=\"" + px(bottom_ + 5) +
               "\" stroke=\"#222222\"/>";
      text(x, bottom_ + 18, "middle", fixed(k * step, digits));
    }
    text((left_ + kWidth) / 2, bottom_ + 36, "middle", "time (" + std::string(unit.name) + ")");
  }

  void legend() {
    constexpr double kBox = 26;
    text(left_, 18, "start", "in use:");
    for (int i = 0; i <= 4; ++i) {
      const double use = kWholeUse * i / 4, x = left_ + 52 + i * (kBox + 44);
      box(x, 8, kBox, 12, use, "");
      text(x + kBox + 4, 18, "start", fixed(use, 0) + (i == 4 ? " % or more" : " %"));
    }
  }

  const std::vector<Line>& lines_;
  double first_ = 0, last_ = 1, line_ = 0, left_ = 0, bottom_ = 0;
  bool named_ = true;
  std::string body_;
};

std::string page(const std::string& title, const std::string& svg, const std::vector<Line>& lines,
                 const std::map<std::string, std::string>& remarks) {
  HtmlTable profiles("profiles", "Profiles", {{"line"}, {"profile"}});
  for (const Line& line : lines) {
    const auto remark = remarks.find(line.report);
    profiles.row({{html(line.name), true},
                  {html(line.report) + (remark == remarks.end() ? "" : "<br>" + html(remark->second)), true}});
  }
  return html_document(
      title + " – assay stats", {},
      "<h1>" + html(title) +
          "</h1>\n<p>Each line is one GPU as used by one process, from its first work to its last, cut into equal "
          "parts. "
          "Kernels, copies and sets count with their own time; where they overlap they add up, so a part may be in use "
          "for more than 100 %. The GPU waited where it is light between two dark parts. Hover over a field for its "
          "numbers.</p>\n<div class=\"canvas\">" +
          svg + "</div>\n" + profiles.str());
}

}  // namespace

HeatMap heat_map_of(const OwnedTable& table, const std::map<std::string, std::string>& remarks) {
  const std::vector<Line> lines = lines_of(table);
  if (lines.empty()) return {};
  const std::string svg = HeatDrawing(lines).str(table.title);
  return {svg + "\n", page(table.title, svg, lines, remarks)};
}

}  // namespace assay
