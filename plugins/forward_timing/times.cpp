#include "times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "assay/algo/stats.hpp"

namespace assay::timing {
namespace {

constexpr std::size_t kEnough = 20;  // passes needed for a bootstrap
/// Standard error of the median relative to that of the mean, for many normally distributed values.
const double kMedianFactor = std::sqrt(std::numbers::pi / 2);

template <class Middle>
Estimate estimate_of(std::span<const double> passes, double level, double student_factor, Middle middle) {
  std::vector<double> copy(passes.begin(), passes.end());
  const double value = middle(std::span<double>(copy));
  if (passes.size() < 2) return single_value(value);
  if (passes.size() >= kEnough) {
    const std::array all = {passes};
    BootstrapPlan plan;
    plan.level = level;
    const Bounds bounds = bootstrap_bca(
        std::span<const std::span<const double>>(all),
        [&](std::span<const std::span<double>> resample) { return middle(resample[0]); }, plan);
    if (bounds.finite()) return {value, std::min(bounds.lo, value), std::max(bounds.hi, value), passes.size()};
  }
  const auto n = static_cast<double>(passes.size());
  const double half = student_t_quantile((1 + level) / 2, n - 1) * student_factor * sample_sd(passes) / std::sqrt(n);
  return {value, value - half, value + half, passes.size()};
}

std::string_view last_part(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }
std::string_view folder_of(std::string_view path) { return path.substr(0, path.size() - last_part(path).size()); }

/// Whether `name`, possibly with folders, is a suffix of the path of a run: "a/b" for "x/a/b" but not for "xa/b".
bool names(std::string_view name, std::string_view run) {
  if (name.empty() || !run.ends_with(name)) return false;
  return run.size() == name.size() || run[run.size() - name.size() - 1] == '/';
}

/// A row that may refer to a report.
struct Candidate {
  Sheet sheet;
  std::size_t row;
  [[nodiscard]] std::string_view folder() const { return folder_of(sheet.path()); }
};

std::optional<ProgramTime> time_in(const Candidate& from, const Columns& columns, double level) {
  constexpr double kNsPerMs = 1e6, kNsPerS = 1e9;
  const Sheet& sheet = from.sheet;
  const std::string source(sheet.path());
  if (const auto steps = sheet.column("step_ms"); steps && !sheet.numbers(from.row, *steps).empty()) {
    std::vector<double> ns;
    for (const double ms : sheet.numbers(from.row, *steps)) ns.push_back(ms * kNsPerMs);
    return ProgramTime{median_of(ns, level), true, source};
  }
  const auto elapsed = sheet.column(columns.elapsed_s), batches = sheet.column(columns.batches);
  const auto seconds = elapsed ? sheet.number(from.row, *elapsed) : std::nullopt;
  const auto count = batches ? sheet.number(from.row, *batches) : std::nullopt;
  if (!seconds || !count || !(*count > 0) || !(*seconds > 0)) return std::nullopt;
  return ProgramTime{single_value(*seconds / *count * kNsPerS), false, source};
}

/// The rows of all sheets, and the reports that each may refer to.
class Rows {
 public:
  Rows(const StudyView& view, const std::vector<std::size_t>& reports, const Columns& columns)
      : view_(view), reports_(reports), columns_(columns), of_report_(reports.size()) {
    for (const Sheet& sheet : sheets_of(view.study(), columns.sheet)) {
      any_sheet_ = true;
      const auto name = sheet.column(columns.name);
      for (std::size_t row = 0; name && row < sheet.rows(); ++row) add_candidate({sheet, row}, sheet.text(row, *name));
    }
    leave_out_ambiguous();
  }

  [[nodiscard]] ProgramTimes times_of(std::size_t report) const {
    ProgramTimes out;
    for (const Candidate& candidate : of_report_[report]) {
      const auto time = time_in(candidate, columns_, view_.level());
      if (!time) {
        if (out.why_not.empty()) out.why_not = "its row in " + std::string(candidate.sheet.path()) + " has no time";
      } else if (!out.time) {
        out.time = time;
      } else if (time->time.ns != out.time->time.ns) {
        out.others.push_back(*time);
      }
    }
    if (out.time) {
      out.why_not.clear();
    } else if (out.why_not.empty()) {
      out.why_not = why_no_row(report);
    }
    return out;
  }

 private:
  /// Adds a row to the reports that it may refer to, those in nearer folders first.
  void add_candidate(const Candidate& row, std::string_view name) {
    const std::string_view wanted = view_.without_ending(name);
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      const std::string_view run = view_.without_ending(view_.path(reports_[i]));
      if (!names(wanted, run)) continue;
      if (!run.starts_with(row.folder())) {
        elsewhere_[i].insert(std::string(row.sheet.path()));
        continue;
      }
      std::vector<Candidate>& rows = of_report_[i];
      const auto farther = std::find_if(rows.begin(), rows.end(),
                                        [&](const Candidate& c) { return c.folder().size() < row.folder().size(); });
      rows.insert(farther, row);
    }
  }

  /// Removes rows that are the nearest one of several runs, since they are ambiguous.
  void leave_out_ambiguous() {
    std::map<std::pair<std::string_view, std::size_t>, std::set<std::string>> nearest_of;
    const auto key = [](const Candidate& c) { return std::pair(c.sheet.path(), c.row); };
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      if (!of_report_[i].empty())
        nearest_of[key(of_report_[i].front())].emplace(view_.without_ending(view_.path(reports_[i])));
    }
    for (std::size_t i = 0; i < reports_.size(); ++i) {
      if (of_report_[i].empty()) continue;
      const auto& runs = nearest_of[key(of_report_[i].front())];
      if (runs.size() < 2) continue;
      ambiguous_[i] = std::string(of_report_[i].front().sheet.path());
      of_report_[i].clear();
    }
  }

  [[nodiscard]] std::string why_no_row(std::size_t report) const {
    if (!any_sheet_) return "no sheet '" + columns_.sheet + "' was found next to the profiles";
    if (const auto at = ambiguous_.find(report); at != ambiguous_.end())
      return "the row of " + at->second + " with its name fits other runs as well";
    const auto at = elsewhere_.find(report);
    if (at == elsewhere_.end()) return "no row of the sheet '" + columns_.sheet + "' has its name";
    return "only " + *at->second.begin() + ", which is in another folder, has a row with its name";
  }

  const StudyView& view_;
  const std::vector<std::size_t>& reports_;
  const Columns& columns_;
  std::vector<std::vector<Candidate>> of_report_;
  std::map<std::size_t, std::set<std::string>> elsewhere_;  ///< sheets in other folders with a row of that name
  std::map<std::size_t, std::string> ambiguous_;
  bool any_sheet_ = false;
};

std::optional<Estimate> traced_time(const StudyView& view, std::size_t report, const std::string& metric, bool mean) {
  const auto fact = view.fact(static_cast<Row>(report), metric);
  if (!fact) return std::nullopt;
  const std::span<const double> passes = view.samples(*fact);
  if (passes.empty()) return single_value(view.study().facts->value[*fact]);
  return mean ? mean_of(passes, view.level()) : median_of(passes, view.level());
}

}  // namespace

Estimate single_value(double ns) { return {ns, ns, ns, 1}; }

Estimate median_of(std::span<const double> passes, double level) {
  return estimate_of(passes, level, kMedianFactor, [](std::span<double> x) { return median_in_place(x); });
}

Estimate mean_of(std::span<const double> passes, double level) {
  return estimate_of(passes, level, 1, [](std::span<double> x) { return mean(x); });
}

Agreement agreement(const Estimate& program, const Estimate& traced, double within) {
  const double off = program.ns - traced.ns;
  if (std::abs(off) <= within * traced.ns) return Agreement::kAgrees;
  const double uncertain = off > 0 ? root_of_squares(program.ns - program.low, traced.high - traced.ns)
                                   : root_of_squares(program.high - program.ns, traced.ns - traced.low);
  if (std::abs(off) > uncertain) return off > 0 ? Agreement::kLonger : Agreement::kShorter;
  return uncertain <= kMaxUncertainty * traced.ns ? Agreement::kAgrees : Agreement::kOpen;
}

std::vector<ProgramTimes> program_times(const StudyView& view, const std::vector<std::size_t>& reports,
                                        const Columns& columns) {
  const Rows rows(view, reports, columns);
  std::vector<ProgramTimes> out;
  for (std::size_t i = 0; i < reports.size(); ++i) out.push_back(rows.times_of(i));
  return out;
}

std::vector<ReportTimes> times_of(const StudyView& view, const std::vector<std::string>& metrics,
                                  const Columns& columns) {
  std::vector<std::size_t> reports;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.is_noise(r)) continue;
    const auto measured = [&](const std::string& metric) { return view.fact(static_cast<Row>(r), metric).has_value(); };
    if (std::any_of(metrics.begin(), metrics.end(), measured)) reports.push_back(r);
  }
  std::vector<ProgramTimes> programs = program_times(view, reports, columns);
  std::vector<ReportTimes> out;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    ReportTimes times{reports[i], {}, std::move(programs[i])};
    const bool together = times.program.time && !times.program.time->by_step;
    for (const std::string& metric : metrics) times.traced.push_back(traced_time(view, reports[i], metric, together));
    out.push_back(std::move(times));
  }
  return out;
}

}  // namespace assay::timing
