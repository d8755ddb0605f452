// What token_reduction_overhead emits.
#pragma once

#include "assay/abi.hpp"

namespace assay::tokens {

inline constexpr MetricSpec kMetrics[] = {
    {"token.kernel_time_ns", "ns", Polarity::kLowerIsBetter,
     "Mean over the forwards of the summed durations of the kernels of a short name; dims: class=dynamic|memory|other, "
     "kernel; kernel=(rest) holds the names beyond the option kernels.",
     "kernel time of a forward by kernel"},
    {"token.kernel_count", "1", Polarity::kNeutral, "Mean over the forwards of their launches; dims: class, kernel.",
     "kernels of a forward by kernel"},
    {"token.memory_time_ns", "ns", Polarity::kLowerIsBetter,
     "Mean over the forwards of the summed durations of the copies or sets launched inside; dims: kind=copy|set.",
     "time of copies and sets in a forward"},
    {"token.memory_bytes", "bytes", Polarity::kNeutral, "Mean over the forwards of their bytes; dims: kind.",
     "bytes copied or set in a forward"},

    {"token.speedup", "ratio", Polarity::kHigherIsBetter,
     "Throughput with the reduction over that without, from the sweep (medians of repeated rows); dims: batch and the "
     "labels of the sheet.",
     "speedup by token reduction, from the sweep"},
    {"token.profile_speedup", "ratio", Polarity::kHigherIsBetter,
     "The same from profiles: iteration period without the reduction over that with it; dims: batch and labels.",
     "speedup by token reduction, from profiles"},
    {"token.combined_speedup", "ratio", Polarity::kHigherIsBetter,
     "Ratio of the geometric means of all measured throughputs of a cell, rows of the sweep and profiled runs alike; "
     "dims: batch and labels.",
     "speedup by token reduction, all measurements"},
    {"token.combined_speedup_sd_log", "1", Polarity::kLowerIsBetter,
     "Standard error of its natural log, from token.rate_sd_log and the number of measurements; dims as its.",
     "standard error of the speedup"},
    {"token.combined_speedup_df", "1", Polarity::kNeutral, "Degrees of freedom of that standard error; dims as its.",
     "degrees of freedom of the speedup"},
    {"token.rate_sd_log", "1", Polarity::kLowerIsBetter,
     "Standard deviation of the natural log of one measured throughput, pooled over repeated measurements of a cell "
     "and the deviations of the sweeps from host time or affine GPU time, whichever is longer.",
     "spread of a measured throughput"},
    {"token.rate_df", "1", Polarity::kNeutral, "Degrees of freedom of that.", "degrees of freedom of that spread"},
    {"token.flop_reduction", "ratio", Polarity::kHigherIsBetter,
     "Share of the FLOPs of a forward that the reduction saves, as the sweep states them; dims: labels of the sheet.",
     "share of operations that the reduction saves"},
    {"token.crossover_last_loss", "1", Polarity::kLowerIsBetter,
     "Largest tested batch at which the reduction does not win; absent where it wins at every one; dims: labels.",
     "largest batch at which the reduction loses"},
    {"token.crossover_first_win", "1", Polarity::kLowerIsBetter,
     "Smallest tested batch from which the reduction wins at every larger one; absent where there is none; dims: "
     "labels.",
     "batch from which the reduction wins"},
    {"token.bound_time_ns", "ns", Polarity::kNeutral,
     "Time per forward of kernels by what bounds them (Nsight Compute); absent without counters; dims: class, kernel, "
     "bound=compute|memory|latency|unknown.",
     "kernel time of a forward by what bounds it"},
    {"token.mislabelled_rows", "1", Polarity::kLowerIsBetter,
     "Rows of a sweep whose throughput times latency is not the batch they state; dims: sheet.",
     "rows of a sweep that contradict their batch"},
    {"token.launch_delta", "1", Polarity::kLowerIsBetter,
     "Kernels per forward with the reduction minus those without, of a pair of profiles (iteration.kernel_count); "
     "absent where a side hides kernels in graphs; dims: batch and labels.",
     "kernels that token reduction adds to a forward"},
    {"token.added_kernel_time_ns", "ns", Polarity::kLowerIsBetter,
     "Time per forward in kernels that only the reduced run of a pair has; dims: class, batch and labels.",
     "kernel time that the reduction adds to a forward"},
    {"token.added_kernel_count", "1", Polarity::kLowerIsBetter, "Launches per forward of those kernels; dims as its.",
     "kernels that the reduction adds to a forward"},
    {"token.cause", "1", Polarity::kNeutral,
     "1: the cause's criterion holds for a pair of profiles, 0: it does not; absent where it cannot be tested; dims: "
     "cause=launches|utilization|dynamic_operations|memory, batch and labels.",
     "cause of the overhead of token reduction"},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"token.rules", "Version of the rules that say which kernels are dynamic and which move memory."},
};

}  // namespace assay::tokens
