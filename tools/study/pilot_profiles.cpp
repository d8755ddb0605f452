#include "study/pilot_profiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "algo/window_metric.hpp"
#include "assay/algo/summary.hpp"
#include "catalog/recorded_run.hpp"
#include "config/claim_keys.hpp"

namespace assay {
namespace {

std::vector<double> logs_of(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) {
    if (value > 0) logs.push_back(std::log(value));
  }
  return logs;
}

/// Standard deviation of the logs; 0 of fewer than two values.
double log_spread(const std::vector<double>& values) {
  const std::vector<double> logs = logs_of(values);
  return logs.size() < 2 ? 0 : std::sqrt(squared_deviations(logs) / static_cast<double>(logs.size() - 1));
}

/// Standard error of the log of the median step, by the median deviation: a first step that takes far longer, or of
/// which nothing was traced, does not count.
double step_error(const std::vector<double>& samples) {
  constexpr double kOfDeviation = 1.4826, kOfMedian = 1.2533;  // of a normal distribution
  std::vector<double> logs = logs_of(samples);
  if (logs.size() < 2) return 0;
  const double centre = median(logs), count = static_cast<double>(logs.size());
  for (double& log : logs) log = std::abs(log - centre);
  return kOfMedian * kOfDeviation * median(logs) / std::sqrt(count);
}

}  // namespace

record::PilotProfiles pilot_profiles(const RunResult& run) {
  record::PilotProfiles out;
  std::array<std::vector<double>, 2> windows;
  for (const QuestionRun& asked : run.each_question()) {
    std::set<std::string> claimed;  // those that grow with a run differ between runs of unequal length
    for (const ClaimConfig& claim : asked.question.claims) claimed.insert(claim_shape(claim.keys).metric);
    for (const OwnedMetric& metric : asked.result.metrics) {
      if (metric.extensive) claimed.erase(metric.id);
    }
    std::map<std::pair<std::string, std::string>, std::array<std::vector<double>, 2>> values;  // by metric and dims
    for (const ReportRun& report : asked.reports) {
      const auto recorded = recorded_run(report.file.name);
      if (!recorded) continue;
      const std::size_t of = recorded->block == block_name(1) ? 0 : 1;
      for (const Fact& fact : report.result.facts) {
        if (fact.metric == kWindowLengthMetric && fact.dims.empty()) windows[of].push_back(fact.value / 1e9);
        if (!claimed.contains(fact.metric)) continue;
        values[{fact.metric, fact.dims}][of].push_back(fact.value);
        out.runs[of].within = std::max(out.runs[of].within, step_error(fact.samples));
      }
    }
    for (const auto& [what, runs] : values) {
      if (!runs[0].empty() && !runs[1].empty())
        out.between = std::max(out.between, log_spread({mean(runs[0]), mean(runs[1])}));
    }
  }
  for (std::size_t of = 0; of < windows.size(); ++of) {
    if (!windows[of].empty()) out.runs[of].measured_seconds = median(windows[of]);
  }
  return out;
}

}  // namespace assay
