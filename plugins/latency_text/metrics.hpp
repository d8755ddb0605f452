// The metrics of latency_text.
#pragma once

#include "assay/abi.hpp"

namespace assay::latency {

inline constexpr MetricSpec kMetrics[] = {
    {"seed.compute_utilization", "ratio", Polarity::kHigherIsBetter,
     "Sum of kernel durations over last end minus first start, over all streams and devices; can exceed 1.",
     "compute utilization, original script"},
    {"seed.temporal_compression_ratio", "ratio", Polarity::kNeutral, "The same over kernels, copies and sets.",
     "temporal compression, original script"},
    {"seed.pipeline_efficiency", "ratio", Polarity::kHigherIsBetter,
     "1 minus the sum of gaps over 1 us over last end minus first start; a gap is from the previous row of the stream "
     "id.",
     "pipeline efficiency, original script"},
    {"seed.total_gaps", "1", Polarity::kNeutral, "Linked kernels of the host window minus 1.",
     "gaps between kernels, original script", kExtensive},
    {"seed.significant_gaps", "1", Polarity::kLowerIsBetter, "Gaps over 1 us.", "gaps over 1 us, original script",
     kExtensive},
    {"seed.large_gaps", "1", Polarity::kLowerIsBetter, "Gaps over 10 us.", "gaps over 10 us, original script",
     kExtensive},
    {"seed.very_large_gaps", "1", Polarity::kLowerIsBetter, "Gaps over 100 us.", "gaps over 100 us, original script",
     kExtensive},
    {"seed.preparation_time_us", "us", Polarity::kNeutral,
     "Mean of kernel start minus end of its launching call, negatives included.",
     "mean launch to start time, original script"},
    {"seed.h2d_bandwidth_mib_per_s", "MiB/s", Polarity::kHigherIsBetter,
     "Host-to-device bytes over copy time, 1048576 bytes a MiB.", "bandwidth to the device, original script"},
    {"seed.d2h_bandwidth_mib_per_s", "MiB/s", Polarity::kHigherIsBetter,
     "Device-to-host bytes over copy time, 1048576 bytes a MiB.", "bandwidth from the device, original script"},
    {"seed.average_stream_utilization", "ratio", Polarity::kHigherIsBetter,
     "Unweighted mean over stream ids of sum of durations over last end minus first start.",
     "mean utilization of streams, original script"},
    {"seed.kernel_count", "1", Polarity::kNeutral, "Kernels wholly in the host window.",
     "number of kernels, original script", kExtensive},
    {"seed.kernel_time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of their durations.",
     "total kernel time, original script", kExtensive},
    {"seed.active_streams", "1", Polarity::kNeutral,
     "Distinct stream ids over kernels, copies and sets of the host window.",
     "number of streams in use, original script"},
    {"seed.total_operations", "1", Polarity::kNeutral, "Kernels, copies and sets wholly in the host window.",
     "number of GPU operations, original script", kExtensive},
    {"seed.window_duration_ns", "ns", Polarity::kLowerIsBetter, "Length of the host window.",
     "length of the window, original script", kExtensive},

    // Values that only the text shows.
    {"seed.window_start_ns", "ns", Polarity::kNeutral, "Start of the host window, since the session began.",
     "start of the window, original script"},
    {"seed.kernel_time_min_ns", "ns", Polarity::kLowerIsBetter, "Shortest of those kernels.",
     "shortest kernel, original script"},
    {"seed.kernel_time_max_ns", "ns", Polarity::kLowerIsBetter, "Longest of those kernels.",
     "longest kernel, original script"},
    {"seed.kernel_timeline_ns", "ns", Polarity::kLowerIsBetter, "Last end minus first start of those kernels.",
     "timeline of kernels, original script", kExtensive},
    {"seed.copy_count", "1", Polarity::kNeutral,
     "Copies wholly in the host window; dims: direction=h2d|d2h|other_N, N as the profiler numbers kinds.",
     "number of copies, original script", kExtensive},
    {"seed.copy_bytes", "bytes", Polarity::kNeutral, "Bytes of those copies; dims: direction.",
     "bytes copied, original script", kExtensive},
    {"seed.copy_time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of their durations; dims: direction.",
     "total copy time, original script", kExtensive},
    {"seed.copy_time_min_ns", "ns", Polarity::kLowerIsBetter, "Shortest of them; dims: direction.",
     "shortest copy, original script"},
    {"seed.copy_time_max_ns", "ns", Polarity::kLowerIsBetter, "Longest of them; dims: direction.",
     "longest copy, original script"},
    {"seed.pipeline_time_sum_ns", "ns", Polarity::kLowerIsBetter, "Sum of the linked kernels' durations.",
     "total time of linked kernels, original script", kExtensive},
    {"seed.pipeline_timeline_ns", "ns", Polarity::kLowerIsBetter, "Last end minus first start of the linked kernels.",
     "timeline of linked kernels, original script", kExtensive},
    {"seed.significant_gap_time_ns", "ns", Polarity::kLowerIsBetter, "Sum of the gaps over 1 us.",
     "time of gaps over 1 us, original script", kExtensive},
    {"seed.average_gap_ns", "ns", Polarity::kLowerIsBetter, "Mean of the gaps above 0; none when there is no such gap.",
     "mean gap between kernels, original script"},
    {"seed.max_gap_ns", "ns", Polarity::kLowerIsBetter, "Longest gap; that before the first kernel of a stream is 0.",
     "longest gap between kernels, original script"},
    {"seed.operation_time_sum_ns", "ns", Polarity::kLowerIsBetter,
     "Sum of the durations of kernels, copies and sets wholly in the host window.",
     "total time of GPU operations, original script", kExtensive},
    {"seed.timeline_ns", "ns", Polarity::kLowerIsBetter, "Last end minus first start of those operations.",
     "timeline of GPU operations, original script", kExtensive},
};

/// Text attribute: the range after which the host window is named.
inline constexpr const char* kWindowName = "seed_window";
inline constexpr AttributeSpec kAttributeSpecs[] = {
    {kWindowName, "NVTX range that the numbers of the original script are taken in; none for a whole trace."},
};

}  // namespace assay::latency
