// Copies of the window by direction.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "work.hpp"

namespace assay::summary {

inline constexpr std::size_t kDirections = 10;  ///< enumerators of CopyDirection

struct CopySummary {
  std::int64_t count = 0;
  std::int64_t time = 0;        ///< durations clipped to the window, ns
  std::int64_t whole_time = 0;  ///< unclipped: bytes cannot be clipped, so a bandwidth needs this
  std::int64_t bytes = 0;
  std::vector<double> sizes;  ///< bytes of each copy whose size is known
};

/// Element d is the direction with that number. `copies` must not be null; a table without directions gives all as
/// unknown.
std::array<CopySummary, kDirections> copies_by_direction(const CopyTable& copies, Interval window);

}  // namespace assay::summary
