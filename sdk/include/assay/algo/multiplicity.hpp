// Many comparisons at once: the level that they share, and p-values, which are printed as evidence and never decide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace assay {

/// Level of each of `tests` intervals, so that all of them together err with probability 1 - `level` at most.
inline double shared_level(std::size_t tests, double level) {
  return 1 - (1 - level) / static_cast<double>(std::max<std::size_t>(1, tests));
}

/// Adjusted p-values of Benjamini and Hochberg (false discovery rate), in the order given.
inline std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  double least = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    least = std::min(least, p[i] * static_cast<double>(p.size()) / static_cast<double>(rank));
    adjusted[i] = least;
  }
  return adjusted;
}

}  // namespace assay
