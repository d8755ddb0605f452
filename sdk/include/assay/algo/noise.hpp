// How much runs of the very same program differ: the spread that every effect is held against (statistics.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/algo/participation.hpp"
#include "assay/algo/summary.hpp"
#include "assay/study.hpp"

namespace assay {

/// Pooled spread of a metric within groups of equal runs. All numbers are of natural logs but `largest_ratio`.
struct NoiseFloor {
  double sd_log = 0;         ///< pooled standard deviation of the log of the metric between runs of one program
  double degrees = 0;        ///< its degrees of freedom: the sum over groups of runs - 1
  std::size_t groups = 0;    ///< groups of at least two runs
  std::size_t runs = 0;      ///< runs in them
  double largest_ratio = 1;  ///< the greatest max / min within a group
  bool share = false;        ///< the metric is a share: unit "ratio", and 0..1 in every report
  bool logits = false;       ///< and neither 0 nor 1 in any, so that it has a logit
  double sd_logit = 0;       ///< then: pooled standard deviation of the logit, with the same degrees of freedom
  std::vector<std::int32_t> group_of_report;  ///< by row of Study::reports; kNone: in no group

  [[nodiscard]] bool known() const { return degrees > 0; }
};

namespace detail {

inline double logit(double share) { return std::log(share / (1 - share)); }

/// Tells whether a metric is a share, of which no interval may reach beyond 0 or 1, and whether it has logits.
inline void tell_share(const StudyView& view, std::string_view metric, std::string_view dims, NoiseFloor& floor) {
  const auto row = view.metric(metric);
  if (!row || view.study().metrics->unit[*row] != "ratio") return;
  floor.share = floor.logits = true;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    const auto value = view.value(static_cast<Row>(r), metric, dims);
    floor.share = floor.share && (!value || (*value >= 0 && *value <= 1));
    floor.logits = floor.logits && (!value || (*value > 0 && *value < 1));
  }
}

}  // namespace detail

/// Over the groups of `equal_runs`, of the question and of [noise] alike, with a positive value of the metric. A group
/// never holds two values of the label under test, also where that only describes, lest a treatment without trace be
/// counted as noise; an empty or undeclared label divides nothing. Of metrics that are not `iteration.*` only runs of
/// equally many iterations (`iteration.count`, where known) are equal: a longer window is no noise. `equal` are the
/// groups of `equal_runs`, for those who ask of many metrics.
inline NoiseFloor noise_floor(const StudyView& view, const std::vector<std::vector<RunReports>>& equal,
                              std::string_view metric, std::string_view dims, std::string_view label_under_test) {
  constexpr double kAnyCount = -1;
  const bool per_iteration = metric.starts_with("iteration.");
  using Key = std::tuple<std::size_t, std::string_view, double>;
  std::map<Key, std::vector<std::pair<const RunReports*, double>>> groups;
  for (std::size_t g = 0; g < equal.size(); ++g) {
    for (const RunReports& run : equal[g]) {
      const auto value = value_of(view, run, metric, dims);
      if (!value || !(*value > 0)) continue;
      const auto first = static_cast<Row>(run.front());
      const double count = per_iteration ? kAnyCount : view.value(first, "iteration.count").value_or(kAnyCount);
      groups[{g, view.label_text(run.front(), label_under_test), count}].emplace_back(&run, std::log(*value));
    }
  }
  NoiseFloor floor;
  floor.group_of_report.assign(view.report_count(), kNone);
  detail::tell_share(view, metric, dims, floor);
  double squares = 0, logit_squares = 0;
  for (const auto& [key, members] : groups) {
    if (members.size() < 2) continue;
    std::vector<double> logs;
    for (const auto& [run, log_value] : members) {
      logs.push_back(log_value);
      for (const std::size_t report : *run) floor.group_of_report[report] = static_cast<std::int32_t>(floor.groups);
    }
    const auto [least, greatest] = std::minmax_element(logs.begin(), logs.end());
    floor.largest_ratio = std::max(floor.largest_ratio, std::exp(*greatest - *least));
    squares += squared_deviations(logs);
    if (floor.logits) {
      std::vector<double> logits;
      for (const double log_value : logs) logits.push_back(detail::logit(std::exp(log_value)));
      logit_squares += squared_deviations(logits);
    }
    floor.degrees += static_cast<double>(logs.size() - 1);
    floor.runs += logs.size();
    ++floor.groups;
  }
  if (floor.known()) floor.sd_log = std::sqrt(squares / floor.degrees);
  if (floor.known() && floor.logits) floor.sd_logit = std::sqrt(logit_squares / floor.degrees);
  return floor;
}
inline NoiseFloor noise_floor(const StudyView& view, std::string_view metric, std::string_view dims,
                              std::string_view label_under_test) {
  return noise_floor(view, equal_runs(view), metric, dims, label_under_test);
}

}  // namespace assay
