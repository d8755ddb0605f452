#include "times.hpp"

#include <cmath>

#include "assay/algo/summary.hpp"

namespace assay::timing {
namespace {

Time time_of(double value, std::span<const double> samples) {
  if (samples.size() < 2) return {value, value, value, 1};
  return {value, quantile(samples, 0.025), quantile(samples, 0.975), samples.size()};
}

std::string_view stem_of(std::string_view path) {
  path.remove_prefix(std::min(path.size(), path.find_last_of('/') + 1));
  return path.substr(0, path.find('.'));
}

std::optional<Time> program_time(const Sheet& sheet, std::size_t row, const Columns& columns, bool& by_step) {
  constexpr double kNsPerMs = 1e6, kNsPerS = 1e9;
  if (const auto steps = sheet.column(columns.steps_ms); steps && !sheet.numbers(row, *steps).empty()) {
    std::vector<double> ns;
    for (const double ms : sheet.numbers(row, *steps)) ns.push_back(ms * kNsPerMs);
    by_step = true;
    return time_of(median(ns), ns);
  }
  const auto elapsed = sheet.column(columns.elapsed_s), batches = sheet.column(columns.batches);
  const auto seconds = elapsed ? sheet.number(row, *elapsed) : std::nullopt;
  const auto count = batches ? sheet.number(row, *batches) : std::nullopt;
  if (!seconds || !count || !(*count > 0) || !(*seconds > 0)) return std::nullopt;
  return time_of(*seconds / *count * kNsPerS, {});
}

void find_program_time(const Study& study, std::string_view stem, const Columns& columns, ReportTimes& times) {
  times.why_no_program = "no sheet '" + columns.sheet + "' stands beside the reports";
  for (const Sheet& sheet : sheets_of(study, columns.sheet)) {
    const auto name = sheet.column(columns.name);
    times.why_no_program = "no row of " + std::string(sheet.path()) + " has its name";
    for (std::size_t row = 0; name && row < sheet.rows(); ++row) {
      if (sheet.text(row, *name) != stem) continue;
      times.program = program_time(sheet, row, columns, times.by_step);
      times.why_no_program = times.program ? "" : "its row in " + std::string(sheet.path()) + " has no time";
      return;
    }
  }
}

}  // namespace

Agreement agreement(const Time& program, const Time& traced, double within) {
  const double off = program.ns - traced.ns;
  const double spread = std::hypot((program.high - program.low) / 2, (traced.high - traced.low) / 2);
  if (std::abs(off) <= std::max(spread, within * traced.ns)) return Agreement::kAgrees;
  return off > 0 ? Agreement::kLonger : Agreement::kShorter;
}

std::vector<ReportTimes> times_of(const StudyView& view, const std::vector<std::string>& metrics,
                                  const Columns& columns) {
  std::vector<ReportTimes> out;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.is_noise(r)) continue;
    ReportTimes times;
    times.report = r;
    bool any = false;
    for (const std::string& metric : metrics) {
      const auto fact = view.fact(static_cast<Row>(r), metric);
      any = any || fact.has_value();
      times.traced.push_back(fact ? std::optional<Time>(time_of(view.study().facts->value[*fact], view.samples(*fact)))
                                  : std::nullopt);
    }
    if (!any) continue;
    find_program_time(view.study(), stem_of(view.path(r)), columns, times);
    out.push_back(std::move(times));
  }
  return out;
}

}  // namespace assay::timing
