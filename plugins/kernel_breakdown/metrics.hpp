// What kernel_breakdown emits.
#pragma once

#include "assay/abi.hpp"

namespace assay::breakdown {

inline constexpr MetricSpec kMetrics[] = {
    {"kernel_class.time_sum_ns", "ns", Polarity::kNeutral,
     "Sum of the durations of the measured kernels of a class; dims: class, and range where one is asked for.",
     "total kernel time of a class", kExtensive},
    {"kernel_class.time_ratio", "ratio", Polarity::kNeutral,
     "Share of a class in the summed durations of all measured kernels (of the range, where one is asked for).",
     "share of a class in kernel time"},
    {"kernel_class.count", "1", Polarity::kNeutral, "Measured kernels of a class; dims: class, range.",
     "number of kernels of a class", kExtensive},
    {"kernel_class.time_per_iteration_ns", "ns", Polarity::kLowerIsBetter,
     "Median over the iterations of the summed kernel durations of a class; dims: class.",
     "kernel time of a class per iteration"},
    {"kernel_class.count_per_iteration", "1", Polarity::kNeutral,
     "Median over the iterations of the launches of a class; dims: class.", "kernels of a class per iteration"},
    {"kernel_class.hidden_ratio", "ratio", Polarity::kLowerIsBetter,
     "Share of CUDA graph launches that were traced as a whole in their time and that of the measured kernels "
     "together: time that cannot be classified.",
     "share of GPU time that cannot be classified"},
    {"tensor_core.time_ratio", "ratio", Polarity::kNeutral,
     "Share in the summed durations of the measured kernels; dims: uses=yes|no|unknown as the names tell, and range.",
     "share of kernel time that uses tensor cores"},
    {"top_kernel.time_ratio", "ratio", Polarity::kNeutral,
     "Share of the kernel with the most summed time in that of all measured kernels; dims: range where one is asked "
     "for.",
     "share of the largest kernel in kernel time"},
    {"top_kernel.count", "1", Polarity::kNeutral, "Launches of that kernel that were measured; dims: range.",
     "launches of the largest kernel", kExtensive},
    {"top_kernel.count_per_iteration", "1", Polarity::kNeutral,
     "Median over the iterations of the launches of that kernel.", "launches of the largest kernel per iteration"},
    {"top_kernel.same", "1", Polarity::kNeutral,
     "1: the kernel with the most summed time has the same name in all runs of a pair that differ in the label "
     "compared, "
     "0: it has not; dims: the label's value and the labels held fixed.",
     "same largest kernel on both sides"},
    {"range.kernel_count", "1", Polarity::kNeutral,
     "Measured kernels launched inside a named range by any thread of its process; dims: range.",
     "kernels launched in a named range", kExtensive},
    {"range.kernel_time_sum_ns", "ns", Polarity::kNeutral, "Sum of the durations of those kernels; dims: range.",
     "total kernel time of a named range", kExtensive},
    {"range.other_thread_kernel_count", "1", Polarity::kNeutral,
     "Those of them that another thread than the range's launched, attributed by time; dims: range.",
     "kernels of a named range from other threads", kExtensive},
    {"range.other_thread_kernel_time_ns", "ns", Polarity::kNeutral, "Sum of the durations of the latter; dims: range.",
     "kernel time of a named range from other threads", kExtensive},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"kernel.top_name", "Demangled name of the kernel with the most summed time among those measured."},
    {"kernel_class.rules", "Version of the rules that gave the classes."},
};

}  // namespace assay::breakdown
