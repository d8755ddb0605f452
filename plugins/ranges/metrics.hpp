// What ranges emits.
#pragma once

#include "assay/abi.hpp"

namespace assay::ranges {

inline constexpr MetricSpec kMetrics[] = {
    {"range.count", "1", Polarity::kNeutral, "Ranges of a folded path that ended in the window; dims: path.",
     "occurrences of a range", kExtensive},
    {"range.host_ns", "ns", Polarity::kLowerIsBetter,
     "Median time on the host of the ranges of a folded path, with a sample per range where there are at most 10,000; "
     "dims: path.",
     "time per range on the host"},
    {"range.host_ns.plain", "ns", Polarity::kLowerIsBetter,
     "Median of the times that the program took itself of the ranges of a path, without a profiler, with its samples, "
     "from a sheet beside the profiles; dims: path. Claims on range.host_ns are judged on it where all their runs have "
     "it.",
     "time per range without a profiler"},
    {"range.host_quantile_ns", "ns", Polarity::kLowerIsBetter,
     "Quantile of these times; dims: path, quantile=p95 (of 20 ranges and more), p99 (of 100 and more), max.",
     "high quantile of the time per range"},
    {"range.host_sum_ns", "ns", Polarity::kNeutral, "Sum of these times; dims: path.",
     "total time of a range on the host", kExtensive},
    {"range.capture_ratio", "ratio", Polarity::kNeutral,
     "Share of the window in which a range of the path is open; dims: path.", "share of the capture"},
    {"range.step_ratio", "ratio", Polarity::kNeutral,
     "The same, of the time of the steps: iterations of the question, else the ranges that the names show to be steps; "
     "only of paths that are steps or in them; dims: path.",
     "share of the step"},
    {"range.gpu_ns", "ns", Polarity::kLowerIsBetter,
     "Time in which the device ran work that was launched in the ranges of the path, per range; several devices add "
     "up; "
     "dims: path.",
     "GPU time per range"},
    {"range.busy_ratio", "ratio", Polarity::kHigherIsBetter,
     "Share of that time in the ranges' time: from the start of each to the later of its end and the end of its last "
     "work, mean over the devices that ran any; dims: path.",
     "share of the range that the GPU works for it"},
    {"range.idle_ns", "ns", Polarity::kLowerIsBetter,
     "Time within the ranges, measured to that later end, in which a device ran nothing at all, per range; mean over "
     "the devices; dims: path.",
     "idle GPU time within a range"},
    {"range.kernels", "1", Polarity::kNeutral,
     "Kernels launched in a range, mean over the ranges of the path; kernels of a graph count where it is launched, "
     "and "
     "are not known if it was traced as a whole; "
     "dims: path.",
     "kernels per range"},
    {"range.launches", "1", Polarity::kNeutral,
     "Calls in a range that launch a kernel or a graph, mean over the ranges of the path; dims: path.",
     "launches per range"},
    {"range.replayed_gpu_ns", "ns", Polarity::kLowerIsBetter,
     "Time in which the device ran kernels of a CUDA graph that were captured in a range, per launch of the graph; "
     "dims: path (around the launch), captured (around the capture).",
     "GPU time of a captured range per replay"},
    {"range.replayed_kernels", "1", Polarity::kNeutral, "Those kernels, per launch of the graph; dims: path, captured.",
     "kernels of a captured range per replay"},
    {"range.replayed_ratio", "ratio", Polarity::kNeutral,
     "Share of that time in the time of all kernels of graphs launched in the path; dims: path, captured.",
     "share of a captured range in its graph"},
};

}  // namespace assay::ranges
