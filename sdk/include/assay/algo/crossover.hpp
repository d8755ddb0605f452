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
inline Crossover crossover(std::span<const CrossoverLevel> levels, double even = 1) {
  const auto first_of_wins = [&](auto&& wins) {
    std::size_t first = levels.size();
    while (first > 0 && wins(levels[first - 1])) --first;
    return first;
  };
  const auto existing = [&](std::size_t level) { return level < levels.size() ? std::optional(level) : std::nullopt; };
  const auto gains = [&](const CrossoverLevel& l) { return l.gain > even; };
  Crossover out;
  if (levels.empty()) return out;
  const std::size_t first_win = first_of_wins(gains);
  out.first_win = existing(first_win);
  if (first_win > 0) out.last_loss = first_win - 1;
  if (out.first_win) {
    out.kind = out.last_loss ? CrossoverKind::kBracket : CrossoverKind::kBelowSmallest;
  } else {
    out.kind =
        std::any_of(levels.begin(), levels.end(), gains) ? CrossoverKind::kNoCrossover : CrossoverKind::kAboveLargest;
  }

  out.has_interval =
      std::all_of(levels.begin(), levels.end(), [](const CrossoverLevel& l) { return l.bounds.known(); });
  if (!out.has_interval) return out;
  const std::size_t sure_win = first_of_wins([&](const CrossoverLevel& l) { return l.bounds.lo > even; });
  out.sure_win = existing(sure_win);
  for (std::size_t i = 0; i < sure_win; ++i) {
    if (levels[i].bounds.hi <= even) out.sure_loss = i;
  }
  return out;
}

}  // namespace assay
