// Compares two launch sequences: finds the launches between those that both have in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::difference {

/// Launches of each side between two unchanged neighbours: [from, to).
struct LaunchGap {
  std::ptrdiff_t before_from = 0, before_to = 0, after_from = 0, after_to = 0;
};

/// Where the sequences differ, in order. Equal numbers are the same item. n log n, plus the square of the length of
/// short gaps.
std::vector<LaunchGap> launch_gaps(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after);

}  // namespace assay::difference
