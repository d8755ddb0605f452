// Least squares of a response on an ordered factor (levels) with additive block effects: the model under a cliff
// (statistics.md, Cliff on an ordered label).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace assay {

/// One observation: y (finite) at a level of the axis in a block; levels and blocks are numbered from 0.
struct BlockObservation {
  std::size_t level = 0;
  std::size_t block = 0;
  double y = 0;
};

/// The fitted model. Level effects are relative to the first estimable level.
struct BlockFit {
  /// Ascending indices of the levels used: with several blocks only those seen in at least two of them, because a level
  /// of a single block cannot be distinguished from that block's shift.
  std::vector<std::size_t> levels;
  std::vector<double> effect;                 ///< of each of `levels`, in the unit of y; effect[0] == 0
  double residual_sd = 0;                     ///< of the observations around the fit; NaN if degrees == 0
  std::int64_t degrees = 0;                   ///< residual degrees of freedom
  std::vector<std::vector<double>> unscaled;  ///< (X'X)^-1 among the effects 1.. of `levels`

  /// effect[j + 1] - effect[j], unchecked.
  [[nodiscard]] double step(std::size_t j) const { return effect[j + 1] - effect[j]; }
  /// Effect of the last level minus that of the first. Precondition: `levels` is not empty.
  [[nodiscard]] double rise() const { return effect.back() - effect.front(); }

  /// Indices into `levels`: the effect of the second minus that of the first.
  struct Difference {
    std::size_t from, to;
  };
  /// Covariance of the estimates of two differences; NaN if degrees == 0.
  [[nodiscard]] double covariance(Difference a, Difference b) const;
  /// Standard error of a difference; NaN if degrees == 0.
  [[nodiscard]] double error(Difference of) const;
};

/// Least squares fit of y = block + level. With several blocks the unit is the mean of the runs of one level and block,
/// since those share their deviations; with one block it is the run. `levels` is empty with fewer than two estimable
/// levels, or if the blocks have no level in common.
BlockFit fit_blocks(std::span<const BlockObservation> runs);

}  // namespace assay
