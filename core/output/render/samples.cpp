#include "render/samples.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "files/shell_word.hpp"
#include "render/format.hpp"
#include "render/metric_words.hpp"
#include "render/plots/svg.hpp"
#include "render/plots/svg_shapes.hpp"
#include "render/plots/ticks.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxStrips = 2;
constexpr double kUnusual = 1.2;  // times the median: samples below it are not unusual

const std::vector<Fact>* facts_of(const QuestionRun& run, const std::string& name) {
  const auto report = std::ranges::lower_bound(run.reports, name, {},
                                               [](const ReportRun& r) -> const std::string& { return r.file.name; });
  return report == run.reports.end() || report->file.name != name ? nullptr : &report->result.facts;
}

const Fact* find_fact(const QuestionRun& run, const EvidenceRow& row) {
  const std::vector<Fact>* facts = facts_of(run, row.report);
  if (facts == nullptr) return nullptr;
  const auto at = std::ranges::find_if(
      *facts, [&](const Fact& fact) { return fact.metric == row.metric && fact.dims == row.dims; });
  return at == facts->end() ? nullptr : &*at;
}

/// Linear between the two nearest values; `sorted` is ascending and not empty.
double quantile_of(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double rest = at - static_cast<double>(below);
  return rest == 0 ? sorted[below] : sorted[below] + rest * (sorted[below + 1] - sorted[below]);
}

std::vector<double> sorted(std::vector<double> values) {
  std::ranges::sort(values);
  return values;
}

std::string without_folder_and_extension(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.find('.'));
}

/// Iteration metrics of run_summary have one sample per iteration, in order.
bool has_sample_per_iteration(std::string_view metric) { return metric.starts_with("iteration."); }

/// Iteration of its report, from 1, that a sample belongs to. A time between two iterations belongs to the later one,
/// so there is one sample less. 0: more samples are missing, so it is unknown.
std::size_t iteration_of(const QuestionRun& run, const std::string& report, const Fact& fact, std::size_t sample) {
  std::size_t iterations = 0;
  for (const Fact& other : *facts_of(run, report)) {
    if (has_sample_per_iteration(other.metric)) iterations = std::max(iterations, other.samples.size());
  }
  const std::size_t missing = iterations - fact.samples.size();
  return missing > 1 ? 0 : sample + missing + 1;
}

std::string command_for(const Question& question, const std::string& report, std::size_t iteration) {
  const std::string number = std::to_string(iteration);
  std::string out = "assay timeline " + shell_word(report);
  if (!question.window.nvtx.empty()) out += " --window " + shell_word(question.window.nvtx);
  for (const std::string& pattern : question.iterations.nvtx) out += " --iterations " + shell_word(pattern);
  return fmt::format("{} --only {} -o {}", out, number,
                     shell_word(without_folder_and_extension(report) + "-" + number + ".json"));
}

/// Removes the folder, words and extension common to all names.
void shorten(std::vector<SampleRow>& rows) {
  const auto all = [&](const auto& is) { return std::ranges::all_of(rows, is); };
  const std::string& first = rows.front().report;
  const std::string folder = first.substr(0, first.rfind('/') + 1);
  const std::size_t dot = first.rfind('.');
  const std::string extension = dot == std::string::npos || dot < folder.size() ? "" : first.substr(dot);
  const bool same_folder = all([&](const SampleRow& row) { return row.report.starts_with(folder); });
  const bool same_extension = all([&](const SampleRow& row) { return row.report.ends_with(extension); });
  for (SampleRow& row : rows) {
    if (same_extension) row.report.resize(row.report.size() - extension.size());
    if (same_folder) row.report.erase(0, folder.size());
  }
  // Also removes the leading words common to all.
  std::size_t shared = rows.front().report.size();
  for (const SampleRow& row : rows) {
    const std::string& one = rows.front().report;
    const auto end = std::mismatch(one.begin(), one.end(), row.report.begin(), row.report.end()).first;
    shared = std::min(shared, static_cast<std::size_t>(end - one.begin()));
  }
  const std::size_t word = rows.size() < 2 ? std::string::npos : rows.front().report.substr(0, shared).rfind('_');
  if (word == std::string::npos) return;
  for (SampleRow& row : rows) row.report.erase(0, word + 1);
}

/// Draws one metric.
class StripsWriter {
 public:
  explicit StripsWriter(const SampleStrips& strips) : strips_(strips) {
    NumberRange range = NumberRange::nothing();
    double largest = 0;
    bool positive = true;
    std::size_t longest = 4;
    for (const SampleRow& row : strips.rows) {
      longest = std::max(longest, display_width(one_line(row.report)));
      for (const double value : row.values) {
        largest = std::max(largest, std::abs(value));
        positive = positive && value > 0;
        range.include(value);
      }
    }
    unit_ = display_unit(largest, strips.unit);
    range.lo /= unit_.factor;
    range.hi /= unit_.factor;
    PlotAxis axis;
    if (positive && range.hi > kLogFrom * range.lo) axis.scale = PlotScale::kLog;
    axis_ = number_axis(range, axis, false);
    left_ = std::min(kMaxLabel, kLetter * static_cast<double>(longest) + 14);
    bottom_ = kTop + kRow * static_cast<double>(strips.rows.size());
  }

  std::string write(bool as_file) {
    axes();
    for (std::size_t r = 0; r < strips_.rows.size(); ++r)
      row(strips_.rows[r], kTop + kRow * (static_cast<double>(r) + 0.5));
    const std::string height = px(bottom_ + 38);
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"assay-plot\" role=\"img\" width=\"{}\" height=\"{}\" "
        "viewBox=\"0 0 {} {}\"><title>{}</title><desc>{}</desc>",
        px(kWidth), height, px(kWidth), height, xml(strips_.title),
        xml("Dots are samples, boxes their quartiles, the bar the median; one row per profile, " +
            counted(strips_.rows.size(), "row") + "."));
    if (as_file) out += "<style>" + svg_style() + "</style><rect class=\"ground\" width=\"100%\" height=\"100%\"/>";
    return out + body_ + "</svg>";
  }

 private:
  static constexpr double kWidth = 760, kTop = 6, kRow = 14, kRight = 16, kMaxLabel = 380, kLogFrom = 12;
  static constexpr double kLetter = 6.8;  // px; names of reports have many digits and underscores

  [[nodiscard]] double at(double value) const {
    return left_ + axis_.to_unit(value / unit_.factor) * (kWidth - left_ - kRight);
  }
  void line(double x1, double y1, double x2, double y2, std::string_view classes) {
    body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>", px(x1), px(y1), px(x2), px(y2),
                         std::string(classes));
  }
  void text(double x, double y, std::string_view anchor, std::string_view classes, std::string_view words) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" class=\"{}\">{}</text>", px(x), px(y),
                         std::string(anchor), std::string(classes), xml(words));
  }
  void axes() {
    for (const DrawnTick& tick : axis_.ticks) {
      const double x = left_ + axis_.to_unit(tick.at) * (kWidth - left_ - kRight);
      line(x, kTop, x, bottom_, "grid");
      text(x, bottom_ + 14, "middle", "tick", tick.label);
    }
    std::string unit(unit_.name);
    if (axis_.log) unit += unit.empty() ? "log scale" : ", log scale";
    text((left_ + kWidth) / 2, bottom_ + 31, "middle", "axis", strips_.title + (unit.empty() ? "" : " (" + unit + ")"));
  }
  void row(const SampleRow& row, double y) {
    const auto characters = static_cast<std::size_t>((left_ - 12) / kLetter);
    text(left_ - 7, y + 4, "end", "tick", shortened(one_line(row.report), characters));
    // Whole px, as offsets, since a report has thousands of samples.
    const auto whole = [](double value) { return static_cast<int>(std::lround(value)); };
    int last = whole(at(row.values.front()));
    std::string dots = fmt::format("M{} {}h0", last, px(y));
    for (std::size_t i = 1; i < row.values.size(); ++i) {
      const int x = whole(at(row.values[i]));
      dots += "m" + std::to_string(x - last) + " 0h0";
      last = x;
    }
    body_ += "<path class=\"dots l0\" d=\"" + dots + "\"/>";
    const std::vector<double> values = sorted(row.values);
    const double low = at(quantile_of(values, 0.25)), high = at(quantile_of(values, 0.75));
    const double middle = at(quantile_of(values, 0.5));
    const std::string top = px(y - 4), wide = px(std::max(high - low, 0.5));
    body_ += fmt::format("<path class=\"box ln\" d=\"M{} {}h{}v8h-{}zM{} {}v8\"/>", px(low), top, wide, wide,
                         px(middle), top);
  }

  const SampleStrips& strips_;
  DisplayUnit unit_{1, ""};
  DrawnAxis axis_;
  double left_ = 0, bottom_ = 0;
  std::string body_;
};

}  // namespace

Samples samples_behind(const QuestionRun& run, const OwnedPlot& plot) {
  Samples out;
  const MetricWords words(run.result.metrics);
  std::vector<std::string> names;
  std::vector<std::pair<double, Instant>> farthest;
  for (const EvidenceRow& row : plot.evidence) {
    const Fact* fact = find_fact(run, row);
    if (fact == nullptr || fact->samples.size() < 2) continue;
    const std::string name = row.dims.empty() ? row.metric : fmt::format("{} ({})", row.metric, row.dims);
    auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (at == names.size()) {
      if (names.size() == kMaxStrips) continue;
      names.push_back(name);
      const auto metric =
          std::ranges::find_if(run.result.metrics, [&](const OwnedMetric& m) { return m.id == row.metric; });
      out.strips.push_back({words.in_text(name), metric == run.result.metrics.end() ? "" : metric->unit, {}});
      farthest.push_back({0, {}});
    }
    if (std::ranges::any_of(out.strips[at].rows, [&](const SampleRow& other) { return other.report == row.report; }))
      continue;
    out.strips[at].rows.push_back({row.report, fact->samples});
    // With several iteration names it is unknown which one this report has.
    if (!has_sample_per_iteration(row.metric) || run.question.iterations.nvtx.size() != 1) continue;
    const auto most = std::ranges::max_element(fact->samples);
    const double median = quantile_of(sorted(fact->samples), 0.5);
    if (!(median > 0) || *most / median <= farthest[at].first) continue;
    const std::size_t iteration =
        iteration_of(run, row.report, *fact, static_cast<std::size_t>(most - fact->samples.begin()));
    if (iteration == 0) continue;
    farthest[at] = {*most / median,
                    {fmt::format("{}, farthest above its run's median: {} in iteration {} of {}, {} times the median.",
                                 words.in_text(name), quantity(*most, out.strips[at].unit), iteration, row.report,
                                 fixed(*most / median, 1)),
                     command_for(run.question, row.report, iteration)}};
  }
  for (SampleStrips& strips : out.strips) shorten(strips.rows);
  for (auto& [ratio, instant] : farthest) {
    if (ratio >= kUnusual) out.instants.push_back(std::move(instant));
  }
  return out;
}

std::string strips_svg(const SampleStrips& strips, bool as_file) { return StripsWriter(strips).write(as_file); }

}  // namespace assay
