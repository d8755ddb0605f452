#include "by_range.hpp"

namespace assay::breakdown {

RangeKernels kernels_of_range(const Report& report, const KernelMeasurement& measured, const std::string& name) {
  const NamedRanges ranges(report, {&name, 1});
  RangeKernels out;
  out.name = name;
  out.instances = ranges.instances().size();
  out.by_time = ranges.by_time();
  if (ranges.empty()) return out;
  for (const MeasuredKernel& k : measured.kernels) {
    const std::int32_t instance = k.call == kNone ? kNone : ranges.of_call(k.call);
    if (instance == kNone) continue;
    out.kernels.push_back(k);
    if (!ranges.is_other_thread(k.call, instance)) continue;
    ++out.other_thread;
    out.other_thread_time += k.duration;
  }
  return out;
}

}  // namespace assay::breakdown
