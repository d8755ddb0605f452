#include "count.hpp"

namespace assay::@NAME@_analyzer {

ShortKernels count_short(const KernelTable& kernels, std::int64_t below_ns) {
  ShortKernels found;
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    if (kernels.membership[k] != Membership::kInside) continue;
    const std::int64_t duration = kernels.end[k] - kernels.start[k];
    found.all_time_ns += duration;
    if (duration >= below_ns) continue;
    ++found.count;
    found.time_ns += duration;
  }
  return found;
}

}  // namespace assay::@NAME@_analyzer
