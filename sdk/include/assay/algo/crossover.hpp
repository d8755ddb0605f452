// Finds where along an ordered label a treatment begins to win (statistics.md, Crossover).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "assay/algo/bounds.hpp"

namespace assay {

/// Position of the crossover relative to the tested levels.
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
  Bounds bounds;    ///< interval of the gain; NaN: unknown
};

/// The result; levels by input index.
struct Crossover {
  CrossoverKind kind = CrossoverKind::kNoCrossover;
  std::optional<std::size_t> last_loss;  ///< last level at which it does not win; empty if it wins everywhere
  std::optional<std::size_t> first_win;  ///< first level from which it wins at every level; empty if there is none
  /// Whether every level has bounds. Then `sure_win` is the first level from which all lower bounds win, and
  /// `sure_loss` the last level before it whose upper bound does not. The crossover is between them.
  bool has_interval = false;
  std::optional<std::size_t> sure_loss, sure_win;
};

/// Crossover over levels in label order. A level wins if its gain is above `even` (1 for a speed-up). No levels:
/// kNoCrossover.
Crossover crossover(std::span<const CrossoverLevel> levels, double even = 1);

}  // namespace assay
