// The measured kernels of a named NVTX range, including those launched by other threads during it.
#pragma once

#include <string>
#include <vector>

#include "assay/algo/named_ranges.hpp"
#include "measured.hpp"

namespace assay::breakdown {

struct RangeKernels {
  std::string name;  ///< as in the option: a name, or a pattern with {i}
  std::size_t instances = 0;
  bool by_time = true;  ///< false: such ranges of several threads overlap, so only kernels of the range's own thread
                        ///< count
  std::vector<MeasuredKernel> kernels;
  std::int64_t other_thread = 0;       ///< of the kernels: launched by another thread of the process during the range
  std::int64_t other_thread_time = 0;  ///< sum of their durations, ns
};

/// Requires calls; uses ranges and spans if present. `instances` is 0 if no range has the name.
RangeKernels kernels_of_range(const Report& report, const KernelMeasurement& measured, const std::string& name);

}  // namespace assay::breakdown
