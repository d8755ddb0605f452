// Where the level of a series of results changed. Of no report, label or file: numbers in, changes out.
//
// A series is stretches of constant level plus first-order autoregressive noise (level_model.hpp). For each number of
// changes the partition that explains the series best is held against the series without a change, each with the
// autocorrelation that suits it; the ratio of likelihoods has the tail of a beta distribution, corrected by Bonferroni
// for all partitions with as many changes, for the numbers of changes and for the series that are looked at together.
// So the chance that any of them raises an alarm is at most `alpha` when none changed. Of the partition that is least
// likely by chance only those changes are told without which the rest explains the series significantly worse. A series
// that a straight line explains, and steps no better, creeps: it is told in thirds.
//
// One or two results in a row are no level: those further than four deviations from the median of the eleven around
// them are drawn in to that distance first, so that wild results neither hide a change nor make one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay {

struct ChangeSettings {
  double alpha = 0.05;        ///< chance of any alarm over all `series` when nothing changed
  std::size_t series = 1;     ///< how many are looked at together
  std::size_t confirmed = 3;  ///< results that must lie on each side of a change
};

/// One change of the level. Places count values from 0.
struct ChangePoint {
  std::size_t at = 0;                    ///< the first value of the new level
  std::size_t earliest = 0, latest = 0;  ///< 95 % interval of `at`, by the likelihood ratio (Siegmund 1988)
  double before = 0, after = 0;          ///< means of the segments on its two sides
  double lo = 0, hi = 0;                 ///< 95 % interval of after - before (Student's t)
  double p = 1;                          ///< of no change here, corrected for all places and all series
};

/// The levels of two segments [from, to) held against each other, the second less the first.
struct LevelDifference {
  double value = 0, lo = 0, hi = 0;  ///< with its 95 % interval, as of ChangePoint
};
struct LevelSegment {
  std::size_t from = 0, to = 0;
};

/// What is left when the levels are taken out.
struct LevelNoise {
  double correlation = 0;  ///< lag-1, that intervals assume: one standard error above what was found
  double innovation = 0;   ///< standard deviation of what is new in a result
  double degrees = 1;      ///< of freedom, of `innovation`
};

struct LevelChanges {
  std::vector<ChangePoint> changes = {};  ///< by place
  LevelNoise noise = {};
  bool creeps = false;     ///< a line explains the series: `changes` cut it into thirds
  bool too_alike = false;  ///< no change, and neighbours so alike that a change of the level cannot be told from noise
  std::vector<double> values = {};  ///< with wild results drawn in

  [[nodiscard]] LevelDifference difference(const LevelSegment& before, const LevelSegment& after) const;
};

/// Values are finite. Nothing of fewer than twice `confirmed` values.
LevelChanges change_points(std::span<const double> values, const ChangeSettings& settings);

}  // namespace assay
