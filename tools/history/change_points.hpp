// Finds changes of the level of a series of numbers; independent of reports, labels and files.
//
// A series is modelled as stretches of constant level plus first-order autoregressive noise (level_model.hpp). For each
// number of changes the partition that explains the series best is compared with the series without a change, each with
// its best autocorrelation; the ratio of likelihoods has the tail of a beta distribution, corrected by Bonferroni for
// all partitions with as many changes, for the numbers of changes and for the series evaluated together. So the
// probability of any false alarm is at most `alpha`. Of the partition that is least likely by chance, reports only
// those changes without which the rest explains the series significantly worse. A series that a straight line explains,
// and steps no better, creeps: it is reported in thirds.
//
// One or two results in a row are not a level: values further than four deviations from the median of the surrounding
// eleven are first pulled in to that distance, so that outliers neither hide a change nor cause one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

struct ChangeSettings {
  double alpha = 0.05;        ///< probability of any alarm over all `series` if nothing changed
  std::size_t series = 1;     ///< number of series evaluated together
  std::size_t confirmed = 3;  ///< min number of results on each side of a change
};

/// One change of the level. Indices count from 0.
struct ChangePoint {
  std::size_t at = 0;                    ///< first value of the new level
  std::size_t earliest = 0, latest = 0;  ///< 95 % interval of `at`, by the likelihood ratio (Siegmund 1988)
  double before = 0, after = 0;          ///< means of the segments before and after
  double lo = 0, hi = 0;                 ///< 95 % interval of after - before (Student's t)
  double p = 1;                          ///< of no change here, corrected for all places and all series
};

/// Difference of the levels of two segments [from, to), second minus first.
struct LevelDifference {
  double value = 0, lo = 0, hi = 0;  ///< with its 95 % interval, as in ChangePoint
};
struct LevelSegment {
  std::size_t from = 0, to = 0;
};

/// Residual noise after removing the levels.
struct LevelNoise {
  double correlation = 0;  ///< lag-1, used for intervals: one standard error above the estimate
  double innovation = 0;   ///< standard deviation of the innovations
  double degrees = 1;      ///< of freedom, of `innovation`
};

struct LevelChanges {
  std::vector<ChangePoint> changes = {};  ///< by place
  LevelNoise noise = {};
  bool creeps = false;     ///< a line explains the series: `changes` divide it into thirds
  bool too_alike = false;  ///< no change, and an autocorrelation so high that a change cannot be distinguished from
                           ///< noise
  std::vector<double> values = {};  ///< with outliers pulled in

  [[nodiscard]] LevelDifference difference(const LevelSegment& before, const LevelSegment& after) const;
};

/// Precondition: values are finite. Finds nothing in fewer than twice `confirmed` values.
LevelChanges change_points(std::span<const double> values, const ChangeSettings& settings);

}  // namespace assay
