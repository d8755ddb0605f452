// Finds where along an ordered label a treatment begins to win (statistics.md, Crossover).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "assay/algo/bounds.hpp"

namespace assay {

enum class CrossoverKind {
  kBracket,        ///< between two tested levels
  kBelowSmallest,  ///< it wins at every tested level
  kAboveLargest,   ///< it wins at none
  kNoCrossover,    ///< it wins at some levels but not at the largest, so there is no level from which it always wins
};

/// One tested level, in label order.
struct CrossoverLevel {
  double level = 0;
  double gain = 0;  ///< a speed-up, for instance
  Bounds bounds;    ///< of the gain; NaN with a single row
};

/// The result; levels by input index.
struct Crossover {
  CrossoverKind kind = CrossoverKind::kNoCrossover;
  std::optional<std::size_t> last_loss;  ///< last level at which it does not win; empty if it wins everywhere
  std::optional<std::size_t> first_win;  ///< first level from which it wins at every level; empty if there is none
  /// The same according to the bounds, if every level has them: the last level before `sure_win` whose whole interval
  /// loses, and the first from which all whole intervals win. The crossover is between them, as far as the intervals
  /// are right.
  bool has_interval = false;
  std::optional<std::size_t> sure_loss, sure_win;
};

/// Crossover over levels in label order. A level wins if its gain is above `even` (1 for a speed-up). No levels:
/// kNoCrossover.
Crossover crossover(std::span<const CrossoverLevel> levels, double even = 1);

}  // namespace assay
