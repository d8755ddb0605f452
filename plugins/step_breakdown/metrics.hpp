// What the analyzer declares.
#pragma once

#include "assay/abi.hpp"

namespace assay::step {

inline constexpr MetricSpec kMetrics[] = {
    {"step.count", "1", Polarity::kNeutral, "Steps that are measured, dropped ones left out.",
     "number of measured steps", kExtensive},
    {"step.dropped_count", "1", Polarity::kNeutral,
     "Steps at the end of the capture that are left out because their device work is missing or cut off.",
     "steps left out at the end of the capture"},
    {"step.time_ns", "ns", Polarity::kLowerIsBetter,
     "Time of a step from its start on the host, or the last one's end, to the end of the work it launched; mean.",
     "time of a step"},
    {"step.category_time_ns", "ns", Polarity::kNeutral,
     "Time of a step in a category, each instant in the first of kernel, memcpy, memset, communication, runtime, "
     "dataloader, cpu_exec, other that covers it; mean over the steps; the categories sum to the step; dims: "
     "category.",
     "time of a step in a category"},
    {"step.category_time_ratio", "ratio", Polarity::kNeutral,
     "Mean time of a category over the mean time of a step; dims: category.", "share of a step in a category"},
    {"gpu.utilization_ratio", "ratio", Polarity::kHigherIsBetter,
     "Union of kernels from the first step's start to the last one's end, over that span; mean over the devices that "
     "ran "
     "kernels, and with dims device each of several.",
     "share of the steps with a kernel running"},
    {"gpu.sm_efficiency_ratio", "ratio", Polarity::kHigherIsBetter,
     "Integral of min(1, sum of blocks per multiprocessor of the running kernels) from the first step's start to the "
     "last "
     "one's end, over that span; mean over devices, and with dims device each of several.",
     "share of multiprocessors in use"},
    {"gpu.achieved_occupancy_ratio", "ratio", Polarity::kHigherIsBetter,
     "Occupancy of the kernels, weighted by their duration in the steps; attribute gpu.occupancy_source says whether "
     "the "
     "profiler gave or the analyzer computed it; mean over devices, and with dims device each of several.",
     "occupancy of the kernels"},
    {"gpu.corrected_occupancy_ratio", "ratio", Polarity::kHigherIsBetter,
     "gpu.achieved_occupancy_ratio with computed values where the profiler's are less than a single block gives; only "
     "where there are such; mean over devices, and with dims device each of several.",
     "occupancy of the kernels, impossible values mended"},
    {"gpu.impossible_occupancy_time_ratio", "ratio", Polarity::kNeutral,
     "Time of the kernels whose occupancy by the profiler is less than a single block gives, over kernel time.",
     "share of kernel time with impossible occupancy"},
    {"step.tensor_core_time_ratio", "ratio", Polarity::kNeutral,
     "Kernel time in kernels that use tensor cores by their name, over all kernel time; dims: uses=yes|no|unknown.",
     "share of kernel time that uses tensor cores"},
    {"step.eligible_kernel_time_ratio", "ratio", Polarity::kNeutral,
     "Kernel time launched by operators that can use tensor cores, over all kernel time; dims: uses=yes|no|unknown.",
     "share of kernel time that could use tensor cores"},
    {"step.tensor_core_use_ratio", "ratio", Polarity::kNeutral,
     "Kernel time in kernels that use tensor cores over that of kernels whose names tell whether they do; absent where "
     "names tell it of less than the option least_known of the kernel time.",
     "share of known kernel time that uses tensor cores"},
    {"step.top_kernel_time_ratio", "ratio", Polarity::kNeutral,
     "Time of the kernel with the most summed time over that of the kernels with the most time, as many as the option "
     "top says (or all, where there are fewer).",
     "share of the largest kernel among the top kernels"},
    {"memory.peak_allocated_bytes", "bytes", Polarity::kLowerIsBetter,
     "Greatest number of bytes in use on a device after an allocation; dims: device.", "peak of memory in use"},
    {"memory.peak_reserved_bytes", "bytes", Polarity::kLowerIsBetter,
     "Greatest number of bytes that the allocator held of a device; dims: device.",
     "peak of memory the allocator holds"},
    {"memory.peak_ratio", "ratio", Polarity::kLowerIsBetter,
     "Peak of the reserved bytes (of the allocated ones where only those are known) over the memory of the device; "
     "dims: device.",
     "peak of memory over that of the device"},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"step.source", "What the steps are: named ranges, iterations, the window, or the whole capture as one."},
    {"gpu.blocks_per_sm_source", "Where blocks per multiprocessor come from: profiler, computed, or both."},
    {"gpu.occupancy_source", "Where occupancy comes from: profiler, computed, or both."},
    {"gpu.compute_capability", "Lowest compute capability of the devices that ran kernels."},
    {"step.kernel_rules", "Version of the rules that give kernels a class and tell the use of tensor cores."},
};

}  // namespace assay::step
