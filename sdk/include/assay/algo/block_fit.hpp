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

/// One observation: y at a level of the axis in a block.
struct BlockObservation {
  std::size_t level = 0;
  std::size_t block = 0;
  double y = 0;
};

/// The fitted model. Level effects are relative to the first estimable level.
struct BlockFit {
  /// Indices of the levels that took part, ascending: with several blocks only levels seen in at least two of them,
  /// because a level of one block cannot be told from that block's shift and adds no evidence.
  std::vector<std::size_t> levels;
  std::vector<double> effect;                 ///< of each of `levels`; effect[0] == 0
  double residual_sd = 0;                     ///< of the observations around the fit; NaN when degrees == 0
  std::int64_t degrees = 0;                   ///< residual degrees of freedom
  std::vector<std::vector<double>> unscaled;  ///< (X'X)^-1 among the effects 1.. of `levels`

  /// effect[j + 1] - effect[j].
  [[nodiscard]] double step(std::size_t j) const { return effect[j + 1] - effect[j]; }
  [[nodiscard]] double rise() const { return effect.back() - effect.front(); }

  /// Two of `levels`: stands for the effect of the second less that of the first.
  struct Difference {
    std::size_t from, to;
  };
  /// Of the estimates of two differences; NaN when degrees == 0.
  [[nodiscard]] double covariance(Difference a, Difference b) const;
  /// Standard error of a difference; NaN when degrees == 0.
  [[nodiscard]] double error(Difference of) const;
};

/// Fits y = block + level. With several blocks the runs of one level and block are one unit, their mean: they share
/// what is theirs alone, which is the spread that a step is held against. With one block the runs are the units. Fewer
/// than two estimable levels, or blocks that share no level: `levels` is empty.
BlockFit fit_blocks(std::span<const BlockObservation> runs);

}  // namespace assay
