#include "times.hpp"

#include <algorithm>

namespace assay::timing {
namespace {

std::optional<Estimate> traced_time(const StudyView& view, std::size_t report, const std::string& metric, bool mean) {
  const auto fact = view.fact(static_cast<Row>(report), metric);
  if (!fact) return std::nullopt;
  const std::span<const double> passes = view.samples(*fact);
  if (passes.empty()) return single_value(view.study().facts->value[*fact]);
  return mean ? mean_of(passes, view.level()) : median_of(passes, view.level());
}

}  // namespace

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
