// How much runs of one program differ: the spread that every effect is compared with (statistics.md).
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
#include "assay/detail/spread.hpp"
#include "assay/study.hpp"

namespace assay {

/// Variation of a metric between runs of one program, per group of equal runs.
struct NoiseFloor {
  std::vector<SpreadGroup> spreads;  ///< by group, on the scale of `scaled`
  double sd_log = 0;                 ///< pooled standard deviation of the log of the metric between runs of one program
  double degrees = 0;                ///< its degrees of freedom: the sum over groups of runs - 1
  std::size_t groups = 0;            ///< groups of at least two runs
  std::size_t runs = 0;              ///< runs in them
  double largest_ratio = 1;          ///< largest max / min within a group
  bool logits = false;               ///< the metric is a share: unit "ratio", and 0..1 in every report
  double nearest = 1e-6;  ///< for shares: distance from 0 and 1 at which these values count, half of the smallest seen
                          ///< elsewhere
  std::vector<std::int32_t> group_of_report;  ///< by row of Study::reports; kNone: in no group

  std::vector<std::int32_t> places;  ///< by row of Study::reports: recording_order
  double correlation = 0.85;         ///< between consecutive runs of the study: correlation_limit of all groups

  [[nodiscard]] bool known() const { return degrees > 0; }
  /// Scale on which runs are compared, the same for all cells of a claim: logits of shares, logs of everything else.
  [[nodiscard]] double scaled(double value) const;
  /// The value again.
  [[nodiscard]] double unscaled(double scaled) const;
};

/// Over the groups of `equal_runs`, of the question and of [noise], with a positive value of the metric. A group never
/// contains two values of the label under test, even if that is descriptive, so that a treatment without trace does not
/// count as noise; an empty or undeclared label divides nothing. For metrics other than `iteration.*` only runs with
/// equally many iterations (`iteration.count`, if known) are equal: a longer window is not noise. `equal`: groups of
/// `equal_runs`, for callers with many metrics.
NoiseFloor noise_floor(const StudyView& view, const std::vector<std::vector<RunReports>>& equal,
                       std::string_view metric, std::string_view dims, std::string_view label_under_test);
NoiseFloor noise_floor(const StudyView& view, std::string_view metric, std::string_view dims,
                       std::string_view label_under_test);

}  // namespace assay
