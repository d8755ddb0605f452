// The measurement: pure functions over the columns of a report.
#pragma once

#include <cstdint>

#include "assay/report.hpp"

namespace assay::@NAME@_analyzer {

struct ShortKernels {
  std::int64_t count = 0;        ///< kernels shorter than the threshold
  std::int64_t time_ns = 0;      ///< sum of their durations
  std::int64_t all_time_ns = 0;  ///< sum of the durations of all kernels
};

/// Counts over the kernels inside the window; a kernel of exactly `below_ns` is not short. Durations are summed, so
/// kernels that run at the same time count twice.
ShortKernels count_short(const KernelTable& kernels, std::int64_t below_ns);

}  // namespace assay::@NAME@_analyzer
