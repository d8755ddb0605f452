// How well some values of one run tell their median.
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

/// Interval of about 95 % from the order of the values (sign test), which says nothing of other runs; least and
/// greatest of fewer than eight. Not for empty ones.
inline MedianBounds median_bounds(std::vector<double> values) {
  constexpr double kTwoSided = 1.96;
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  const auto cut = static_cast<std::size_t>(std::max(0.0, (n - kTwoSided * std::sqrt(n)) / 2));
  return {values[cut], values[values.size() - 1 - cut]};
}

}  // namespace assay
