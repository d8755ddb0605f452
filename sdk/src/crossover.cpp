#include "assay/algo/crossover.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

namespace assay {

Crossover crossover(std::span<const CrossoverLevel> levels, double even) {
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
