// Where along an ordered label a treatment begins to win (statistics.md, Crossover).
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
  kNoCrossover,    ///< it wins somewhere and not at the largest level: no level from which it always wins
};

/// One tested level, in the order of the label.
struct CrossoverLevel {
  double level = 0;
  double gain = 0;  ///< a speed-up, for instance
  Bounds bounds;    ///< of the gain; NaN where there is one row
};

/// The answer; levels by their place in the input.
struct Crossover {
  CrossoverKind kind = CrossoverKind::kNoCrossover;
  std::optional<std::size_t> last_loss;  ///< the last level at which it does not win; nothing when it wins everywhere
  std::optional<std::size_t> first_win;  ///< the first from which it wins at every level; nothing when there is none
  /// The same by the bounds, where every level has them: the last level before `sure_win` that loses by its whole
  /// interval, and the first from which all win by their whole intervals. The crossover lies between them as far as the
  /// intervals hold.
  bool has_interval = false;
  std::optional<std::size_t> sure_loss, sure_win;
};

/// The crossover over levels in the order of the label. It wins where the gain is above `even` (1 for a speed-up). No
/// levels: kNoCrossover.
Crossover crossover(std::span<const CrossoverLevel> levels, double even = 1);

}  // namespace assay
