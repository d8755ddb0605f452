#include "assay/detail/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace assay {

double rank_autocorrelation(std::span<const double> x) {
  const std::size_t n = x.size();
  if (n < 5) return 0;
  std::vector<double> sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> rank(n);  // centred
  for (std::size_t i = 0; i < n; ++i) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), x[i]);
    rank[i] = static_cast<double>((first - sorted.begin()) + (last - sorted.begin()) - 1) / 2 -
              static_cast<double>(n - 1) / 2;
  }
  double lagged = 0, square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    square += rank[i] * rank[i];
    if (i + 1 < n) lagged += rank[i] * rank[i + 1];
  }
  if (square == 0) return 0;
  return (static_cast<double>(n) * lagged / square + 1) / (static_cast<double>(n) - 3);
}

std::size_t automatic_block_length(std::span<const double> x) {
  const double r = std::min(rank_autocorrelation(x), 0.97);
  if (r <= 0) return 1;
  const double length = std::pow(std::sqrt(6.0) * r / (1 - r * r), 2.0 / 3) * std::cbrt(static_cast<double>(x.size()));
  return std::clamp(static_cast<std::size_t>(std::lround(length)), std::size_t{1},
                    std::max<std::size_t>(1, x.size() / 4));
}

namespace detail {

void BlockLengths::add(std::span<const double> sample, const BootstrapPlan& plan) {
  sizes.push_back(sample.size());
  blocks.push_back(plan.block_length != 0 ? std::min(plan.block_length, sample.size())
                                          : automatic_block_length(sample));
  degrees += static_cast<double>(sample.size()) / static_cast<double>(blocks.back()) - 1;
}

}  // namespace detail
}  // namespace assay
