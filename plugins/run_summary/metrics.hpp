// The metrics of run_summary with their definitions.
#pragma once

#include "assay/abi.hpp"

namespace assay::summary {

inline constexpr MetricSpec kMetrics[] = {
    {"window.duration_ns", "ns", Polarity::kLowerIsBetter, "End minus start of the window.", "total time", kExtensive},

    {"kernel.count", "1", Polarity::kNeutral, "Kernels of the window, kernels of traced graph nodes included.",
     "number of kernels", kExtensive},
    {"kernel.time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of the kernels' durations inside the window.",
     "total kernel time", kExtensive},
    {"kernel.time_mean_ns", "ns", Polarity::kNeutral, "Mean of the kernels' durations inside the window.",
     "mean duration of a kernel"},
    {"kernel.time_median_ns", "ns", Polarity::kNeutral, "Median of the kernels' durations inside the window.",
     "median duration of a kernel"},

    {"gpu.kernel_busy_ratio", "ratio", Polarity::kHigherIsBetter,
     "Union of kernel and graph-launch intervals on a device over the window; mean over the devices that ran any.",
     "GPU busy with kernels"},
    {"gpu.busy_ratio", "ratio", Polarity::kHigherIsBetter,
     "Union of kernel, graph-launch, copy and set intervals on a device over the window; mean over the devices that "
     "ran any.",
     "GPU busy"},
    {"gpu.part_busy_ns", "ns", Polarity::kNeutral,
     "Union of the work of one process on one device, where a profile has several; dims: process, device.",
     "GPU busy with a process", kExtensive},
    {"gpu.part_work_ns", "ns", Polarity::kNeutral, "gpu.part_busy_ns without kernels that communicate.",
     "GPU busy with a process, without communication", kExtensive},
    {"gpu.part_kernel_count", "1", Polarity::kNeutral, "Kernels of one process on one device; dims: process, device.",
     "kernels of a process", kExtensive},
    {"gpu.idle_ns", "ns", Polarity::kLowerIsBetter,
     "Window minus the union of all GPU work on a device, foreign work included; mean over the devices that ran any.",
     "idle time of the GPU", kExtensive},
    {"gpu.overlap_ratio", "ratio", Polarity::kHigherIsBetter,
     "Time with a copy and a kernel or graph launch at once on a device over time with a copy; both summed over "
     "devices.",
     "share of copy time hidden behind kernels"},
    {"gpu.foreign_busy_ns", "ns", Polarity::kNeutral,
     "Union of work launched outside the window that runs in it; summed over devices.",
     "GPU time of work launched outside the window"},

    {"graph.launch_count", "1", Polarity::kNeutral, "Graph launches of the window that were traced as a whole.",
     "number of CUDA graph launches", kExtensive},
    {"graph.time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of their durations inside the window.",
     "total time of CUDA graph launches", kExtensive},
    {"graph.node_launch_count", "1", Polarity::kNeutral,
     "Graph launches of the window that were traced by their nodes: their kernels are rows.",
     "number of CUDA graph launches traced per node", kExtensive},
    {"graph.node_graph_count", "1", Polarity::kNeutral, "Graphs that these launched, told apart by their nodes.",
     "number of CUDA graphs traced per node", kExtensive},
    {"graph.opaque_ratio", "ratio", Polarity::kNeutral,
     "GPU busy time inside graph launches whose kernels were not traced over all GPU busy time of the window's work.",
     "share of GPU time inside untraced CUDA graphs"},

    {"copy.count", "1", Polarity::kNeutral, "Copies of the window; dims: direction, or none where there is no copy.",
     "number of copies", kExtensive},
    {"copy.bytes", "bytes", Polarity::kNeutral, "Bytes copied; dims: direction.", "bytes copied", kExtensive},
    {"copy.time_sum_ns", "ns", Polarity::kLowerIsBetter,
     "Sum of the copies' durations inside the window; dims: direction.", "total copy time", kExtensive},
    {"copy.bandwidth_bytes_per_s", "bytes/s", Polarity::kHigherIsBetter,
     "Sum of bytes over sum of the copies' whole durations; dims: direction.", "bandwidth of copies"},
    {"copy.bytes_per_op_median", "bytes", Polarity::kNeutral, "Median size of a copy; dims: direction.",
     "median size of a copy"},

    {"launch.count", "1", Polarity::kNeutral,
     "Kernel-launching and graph-launching API calls of the window, each once.", "number of launching calls",
     kExtensive},
    {"launch.api_time_mean_ns", "ns", Polarity::kLowerIsBetter, "Mean host duration of a launching call.",
     "mean host time of a launching call"},
    {"launch.queue_time_mean_ns", "ns", Polarity::kNeutral,
     "Mean of kernel start minus end of its launching call, over kernels where it is >= 0 (launch.queued_count).",
     "mean time from launching call to kernel start"},
    {"launch.queued_count", "1", Polarity::kNeutral, "Kernels that started no earlier than their launching call ended.",
     "kernels that waited in a queue", kExtensive},
    {"launch.interval_median_ns", "ns", Polarity::kLowerIsBetter,
     "Median time between the starts of successive launching calls on a thread.",
     "median time between launching calls"},
    {"launch.bound_ratio", "ratio", Polarity::kLowerIsBetter,
     "Share of the linked kernels after the first of their stream before which the stream was idle and whose launching "
     "call ended after the stream's previous kernel or graph launch.",
     "share of kernels that waited for their launch"},

    {"sync.count", "1", Polarity::kNeutral,
     "Host calls that wait for the device; dims: kind=device|stream|event|blocking_copy.",
     "number of waiting calls on the host", kExtensive},
    {"sync.host_time_ns", "ns", Polarity::kNeutral, "Host duration of those calls; dims: kind.",
     "host time in waiting calls", kExtensive},

    {"gap.count", "1", Polarity::kLowerIsBetter,
     "Gaps between kernels and graph launches of a stream, from the latest end so far, that are longer; dims: over.",
     "number of gaps between kernels", kExtensive},
    {"gap.time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of all such gaps.", "total time of gaps between kernels",
     kExtensive},
    {"gap.max_ns", "ns", Polarity::kLowerIsBetter, "Longest such gap; 0 when there is none.",
     "longest gap between kernels"},

    {"iteration.count", "1", Polarity::kNeutral, "Iterations of the window.", "number of iterations", kExtensive},
    {"iteration.host_ns", "ns", Polarity::kLowerIsBetter, "Length of an iteration's range on the host; median.",
     "host time per iteration"},
    {"iteration.gpu_span_ns", "ns", Polarity::kLowerIsBetter,
     "First start to last end of the GPU work launched in an iteration; median over iterations that launched any.",
     "GPU span per iteration"},
    {"iteration.gpu_busy_ns", "ns", Polarity::kLowerIsBetter, "Union of the GPU work launched in an iteration; median.",
     "GPU time per iteration"},
    {"iteration.kernel_count", "1", Polarity::kNeutral, "Kernels launched in an iteration; median.",
     "kernels per iteration"},
    {"iteration.other_thread_kernels", "1", Polarity::kNeutral,
     "Kernels launched in an iteration from another thread than its range's; median.",
     "kernels per iteration from other threads"},
    {"iteration.sync_ns", "ns", Polarity::kNeutral, "Host time in waiting calls of an iteration; median.",
     "host waiting time per iteration"},
    {"iteration.period_ns", "ns", Polarity::kLowerIsBetter,
     "Time between the GPU ends of successive iterations; median of n - 1.", "time per iteration"},

    {"throughput.samples_per_s", "1/s", Polarity::kHigherIsBetter,
     "Iterations times the batch label over the window, where the label has a value.", "samples per second"},
    {"replicate.group", "1", Polarity::kNeutral,
     "Profiles with the same fingerprint, in groups of at least two; dims: group.", "groups of runs of one program"},
    {"replicate.spread_ratio", "ratio", Polarity::kLowerIsBetter,
     "Greatest over smallest value of a metric among the repeat runs of a group; dims: group, metric.",
     "largest over smallest among repeat runs"},
    {"replicate.pooled_sd_log", "1", Polarity::kLowerIsBetter,
     "Standard deviation of the natural log of a metric within groups of repeat runs, pooled over the groups; dims: "
     "metric.",
     "spread between repeat runs"},
    {"replicate.pooled_df", "1", Polarity::kNeutral, "Degrees of freedom of that: runs minus groups; dims: metric.",
     "degrees of freedom of the spread of repeat runs"},
};

/// Processes of a profile that ran nothing on a device, by their ids.
inline constexpr std::string_view kIdleProcesses = "idle_processes";

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {kIdleProcesses,
     "Processes of the profile that ran nothing on a GPU in the window although they have calls or ranges."},
    {"fingerprint",
     "The device work of a run, per iteration: copy sizes, kernels with grids and blocks, sets, waiting "
     "calls, graph launches; equal for runs of one program."},
    {"unread", "What the profile has and nothing reads, the largest part first: device work may be in it."},
    {"lost_launches", "Which part of the kernel launches has no kernel although others do."},
};

}  // namespace assay::summary
