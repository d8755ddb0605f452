// p-values of many tests. They are printed as evidence and never decide.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace assay {

namespace detail {
inline std::vector<std::size_t> ascending_order(std::span<const double> x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return x[a] != x[b] ? x[a] < x[b] : a < b; });
  return order;
}
}  // namespace detail

/// Holm's adjusted p-values (family-wise error), in the order given.
inline std::vector<double> holm(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  double greatest = 0;
  std::size_t left = p.size();
  for (const std::size_t i : detail::ascending_order(p)) {
    greatest = std::max(greatest, std::min(1.0, p[i] * static_cast<double>(left--)));
    adjusted[i] = greatest;
  }
  return adjusted;
}

/// Adjusted p-values of Benjamini and Hochberg (false discovery rate), in the order given.
inline std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<double> adjusted(p.size());
  const std::vector<std::size_t> order = detail::ascending_order(p);
  double least = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    least = std::min(least, p[i] * static_cast<double>(p.size()) / static_cast<double>(rank));
    adjusted[i] = least;
  }
  return adjusted;
}

}  // namespace assay
