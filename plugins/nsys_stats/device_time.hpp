// The two rules of nsys about when a GPU did nothing, or little.
#pragma once

#include "assay/report.hpp"
#include "made.hpp"

namespace assay::nsys {

struct GapRule {
  std::int64_t longer_than = 0;  ///< ns
  std::size_t rows = 0;          ///< at most so many, the longest
};

struct UseRule {
  std::int64_t chunks = 1;
  double percent = 0;  ///< chunks in use for less are listed
};

/// Gaps of the union of all work of a process on a device.
Made gaps(const Report& report, const Task& task, const GapRule& rule);

/// Stretches of the time between first and last work of a process on a device in which work sums up to little.
Made low_use(const Report& report, const Task& task, const UseRule& rule);

}  // namespace assay::nsys
