// Interval of the median of values from one run.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace assay {

struct MedianBounds {
  double low = 0, high = 0;
  [[nodiscard]] bool overlap(const MedianBounds& other) const { return low <= other.high && other.low <= high; }
};

/// About 95 % interval from order statistics (sign test), for this run only; min and max of fewer than eight values.
/// Precondition: not empty.
inline MedianBounds median_bounds(std::vector<double> values) {
  constexpr double kTwoSided = 1.96;
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const auto cut = static_cast<std::size_t>(std::max(0.0, (n - kTwoSided * std::sqrt(n)) / 2));
  return {values[cut], values[values.size() - 1 - cut]};
}

}  // namespace assay
