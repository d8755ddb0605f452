// Every metric of run_summary, as metrics.md defines it.
#pragma once

#include "assay/abi.hpp"

namespace assay::summary {

inline constexpr MetricSpec kMetrics[] = {
    {"window.duration_ns", "ns", Polarity::kLowerIsBetter, "End minus start of the window."},

    {"kernel.count", "1", Polarity::kNeutral, "Kernels of the window, kernels of traced graph nodes included."},
    {"kernel.time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of the kernels' durations inside the window."},
    {"kernel.time_mean_ns", "ns", Polarity::kNeutral, "Mean of the kernels' durations inside the window."},
    {"kernel.time_median_ns", "ns", Polarity::kNeutral, "Median of the kernels' durations inside the window."},

    {"gpu.kernel_busy_ratio", "ratio", Polarity::kHigherIsBetter,
     "Union of kernel and graph-launch intervals on a device over the window; mean over the devices that ran any."},
    {"gpu.busy_ratio", "ratio", Polarity::kHigherIsBetter,
     "Union of kernel, graph-launch, copy and set intervals on a device over the window; mean over the devices that "
     "ran any."},
    {"gpu.idle_ns", "ns", Polarity::kLowerIsBetter,
     "Window minus the union of all GPU work on a device, foreign work included; mean over the devices that ran any."},
    {"gpu.overlap_ratio", "ratio", Polarity::kHigherIsBetter,
     "Time with a copy and a kernel or graph launch at once on a device over time with a copy; both summed over "
     "devices."},
    {"gpu.foreign_busy_ns", "ns", Polarity::kNeutral,
     "Union of work launched outside the window that runs in it; summed over devices."},

    {"graph.launch_count", "1", Polarity::kNeutral, "Graph launches of the window that were traced as a whole."},
    {"graph.time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of their durations inside the window."},
    {"graph.opaque_ratio", "ratio", Polarity::kNeutral,
     "GPU busy time inside graph launches whose kernels were not traced over all GPU busy time of the window's work."},

    {"copy.count", "1", Polarity::kNeutral, "Copies of the window; dims: direction."},
    {"copy.bytes", "bytes", Polarity::kNeutral, "Bytes copied; dims: direction."},
    {"copy.time_sum_ns", "ns", Polarity::kLowerIsBetter,
     "Sum of the copies' durations inside the window; dims: direction."},
    {"copy.bandwidth_bytes_per_s", "bytes/s", Polarity::kHigherIsBetter,
     "Sum of bytes over sum of the copies' whole durations; dims: direction."},
    {"copy.bytes_per_op_median", "bytes", Polarity::kNeutral, "Median size of a copy; dims: direction."},

    {"launch.count", "1", Polarity::kNeutral,
     "Kernel-launching and graph-launching API calls of the window, each once."},
    {"launch.api_time_mean_ns", "ns", Polarity::kLowerIsBetter, "Mean host duration of a launching call."},
    {"launch.queue_time_mean_ns", "ns", Polarity::kNeutral,
     "Mean of kernel start minus end of its launching call, over kernels where it is >= 0 (launch.queued_count)."},
    {"launch.queued_count", "1", Polarity::kNeutral,
     "Kernels that started no earlier than their launching call ended."},
    {"launch.interval_median_ns", "ns", Polarity::kLowerIsBetter,
     "Median time between the starts of successive launching calls on a thread."},
    {"launch.bound_ratio", "ratio", Polarity::kLowerIsBetter,
     "Share of the linked kernels after the first of their stream before which the stream was idle and whose launching "
     "call "
     "ended after the stream's previous kernel or graph launch."},

    {"sync.count", "1", Polarity::kNeutral,
     "Host calls that wait for the device; dims: kind=device|stream|event|blocking_copy."},
    {"sync.host_time_ns", "ns", Polarity::kNeutral, "Host duration of those calls; dims: kind."},

    {"gap.count", "1", Polarity::kLowerIsBetter,
     "Gaps between kernels and graph launches of a stream, from the latest end so far, that are longer; dims: over."},
    {"gap.time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of all such gaps."},
    {"gap.max_ns", "ns", Polarity::kLowerIsBetter, "Longest such gap; 0 when there is none."},

    {"iteration.count", "1", Polarity::kNeutral, "Iterations of the window."},
    {"iteration.host_ns", "ns", Polarity::kLowerIsBetter, "Length of an iteration's range on the host; median."},
    {"iteration.gpu_span_ns", "ns", Polarity::kLowerIsBetter,
     "First start to last end of the GPU work launched in an iteration; median over iterations that launched any."},
    {"iteration.gpu_busy_ns", "ns", Polarity::kLowerIsBetter,
     "Union of the GPU work launched in an iteration; median."},
    {"iteration.kernel_count", "1", Polarity::kNeutral, "Kernels launched in an iteration; median."},
    {"iteration.other_thread_kernels", "1", Polarity::kNeutral,
     "Kernels launched in an iteration from another thread than its range's; median."},
    {"iteration.sync_ns", "ns", Polarity::kNeutral, "Host time in waiting calls of an iteration; median."},
    {"iteration.period_ns", "ns", Polarity::kLowerIsBetter,
     "Time between the GPU ends of successive iterations; median of n - 1."},

    {"seed.compute_utilization", "ratio", Polarity::kHigherIsBetter,
     "Sum of kernel durations over last end minus first start, over all streams and devices; can pass 1."},
    {"seed.temporal_compression_ratio", "ratio", Polarity::kNeutral, "The same over kernels, copies and sets."},
    {"seed.pipeline_efficiency", "ratio", Polarity::kHigherIsBetter,
     "1 minus the sum of gaps over 1 us over last end minus first start; a gap is from the previous row of the stream "
     "id."},
    {"seed.total_gaps", "1", Polarity::kNeutral, "Linked kernels of the host window minus 1."},
    {"seed.significant_gaps", "1", Polarity::kLowerIsBetter, "Gaps over 1 us."},
    {"seed.large_gaps", "1", Polarity::kLowerIsBetter, "Gaps over 10 us."},
    {"seed.very_large_gaps", "1", Polarity::kLowerIsBetter, "Gaps over 100 us."},
    {"seed.preparation_time_us", "us", Polarity::kNeutral,
     "Mean of kernel start minus end of its launching call, negatives included."},
    {"seed.h2d_bandwidth_mib_per_s", "MiB/s", Polarity::kHigherIsBetter,
     "Host-to-device bytes over copy time, 1048576 bytes a MiB."},
    {"seed.d2h_bandwidth_mib_per_s", "MiB/s", Polarity::kHigherIsBetter,
     "Device-to-host bytes over copy time, 1048576 bytes a MiB."},
    {"seed.average_stream_utilization", "ratio", Polarity::kHigherIsBetter,
     "Unweighted mean over stream ids of sum of durations over last end minus first start."},
    {"seed.kernel_count", "1", Polarity::kNeutral, "Kernels wholly in the host window."},
    {"seed.kernel_time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of their durations."},
    {"seed.active_streams", "1", Polarity::kNeutral,
     "Distinct stream ids over kernels, copies and sets of the host window."},
    {"seed.total_operations", "1", Polarity::kNeutral, "Kernels, copies and sets wholly in the host window."},
    {"seed.window_duration_ns", "ns", Polarity::kLowerIsBetter, "Length of the host window."},

    {"throughput.samples_per_s", "1/s", Polarity::kHigherIsBetter,
     "Iterations times the batch label over the window, where the label has a value."},
    {"replicate.group", "1", Polarity::kNeutral,
     "Reports with one fingerprint, of groups of at least two; dims: group."},
    {"replicate.spread_ratio", "ratio", Polarity::kLowerIsBetter,
     "Greatest over smallest value of a metric among the equal runs of a group; dims: group, metric."},
    {"replicate.pooled_sd_log", "1", Polarity::kLowerIsBetter,
     "Standard deviation of the natural log of a metric within groups of equal runs, pooled over the groups; dims: "
     "metric."},
    {"replicate.pooled_df", "1", Polarity::kNeutral, "Degrees of freedom of that: runs minus groups; dims: metric."},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"fingerprint",
     "What a run asked the device for, per iteration: copy sizes, kernels with grids and blocks, sets, waiting "
     "calls, graph launches; equal for runs of one program."},
};

}  // namespace assay::summary
