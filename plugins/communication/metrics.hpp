// Declarations of the analyzer.
#pragma once

#include "assay/abi.hpp"

namespace assay::communication {

inline constexpr MetricSpec kMetrics[] = {
    {"comm.step_count", "1", Polarity::kNeutral,
     "Steps that are averaged: all with device work but the first, which absorbs the start of the capture.",
     "number of averaged steps", kExtensive},
    {"step.window_ns", "ns", Polarity::kLowerIsBetter,
     "First start to last end of the device work launched in a step; mean over the steps after the first.",
     "length of a step on the device"},
    {"step.period_ns", "ns", Polarity::kLowerIsBetter,
     "From the host start of a step to that of the next; median over the steps after the first.",
     "period of the steps"},
    {"step.host_ns", "ns", Polarity::kNeutral, "Length of a step's range on the host; mean.",
     "length of a step on the host"},
    {"step.first_work_delay_ns", "ns", Polarity::kLowerIsBetter,
     "From the host start of a step to the first start of the device work launched in it; mean.",
     "delay to the first device work of a step"},
    {"compute.busy_ns", "ns", Polarity::kNeutral,
     "Union of the kernels that do not communicate, within a step's window; mean; dims over=capture: in the capture.",
     "compute time of a step"},
    {"compute.only_ns", "ns", Polarity::kNeutral,
     "Part of compute.busy_ns without communication beside it; dims as there.",
     "compute of a step without communication"},
    {"compute.time_sum_ns", "ns", Polarity::kNeutral,
     "Summed durations of the kernels launched in a step that do not communicate; mean.", "summed compute of a step"},
    {"compute.kernel_count", "1", Polarity::kNeutral, "Kernels launched in a step that do not communicate; mean.",
     "compute kernels of a step"},
    {"comm.busy_ns", "ns", Polarity::kLowerIsBetter,
     "Union over streams of the kernels that communicate, within a step's window; mean; dims over=capture: in the "
     "capture. Waiting inside the kernels counts.",
     "communication time of a step"},
    {"comm.overlap_ns", "ns", Polarity::kNeutral,
     "Part of comm.busy_ns with a compute kernel beside it; dims as there.", "hidden communication of a step"},
    {"comm.exposed_ns", "ns", Polarity::kLowerIsBetter,
     "Part of comm.busy_ns without a compute kernel beside it; copies do not hide it; dims as there.",
     "exposed communication of a step"},
    {"comm.exposed_copy_ns", "ns", Polarity::kNeutral, "Part of comm.exposed_ns under a copy or set; dims as there.",
     "exposed communication under a copy"},
    {"copy.only_ns", "ns", Polarity::kLowerIsBetter,
     "Time of a step with copies or sets and neither compute nor communication; dims as of compute.busy_ns.",
     "copies alone in a step"},
    {"comm.idle_ns", "ns", Polarity::kLowerIsBetter,
     "Time of a step's window without device work; with compute.only_ns, comm.overlap_ns, comm.exposed_ns and "
     "copy.only_ns it sums to step.window_ns; dims as of compute.busy_ns.",
     "idle time within a step"},
    {"capture.window_ns", "ns", Polarity::kNeutral, "First start to last end of all device work of the capture.",
     "length of the capture on the device", kExtensive},
    {"comm.overlap_ratio", "ratio", Polarity::kHigherIsBetter,
     "Sum of comm.overlap_ns over sum of comm.busy_ns over the steps; dims over=capture: in the capture.",
     "share of communication that is hidden"},
    {"comm.exposed_ratio", "ratio", Polarity::kLowerIsBetter,
     "Sum of comm.exposed_ns over sum of step.window_ns over the steps.", "share of a step in exposed communication"},
    {"comm.same_stream_ratio", "ratio", Polarity::kLowerIsBetter,
     "Time of kernels that communicate on streams that also run compute, over the time of all that communicate.",
     "share of communication on compute streams"},
    {"comm.kernel_count", "1", Polarity::kNeutral, "Kernels of the capture that communicate.", "communication kernels",
     kExtensive},
    {"collective.count", "1", Polarity::kNeutral,
     "Collectives of a step; mean; dims: kind, and group where there are several.", "collectives of a step"},
    {"collective.time_ns", "ns", Polarity::kLowerIsBetter,
     "Duration of a collective on this rank, transfer and waiting; median over the steps after the first; dims: kind, "
     "bytes where known, group where there are several.",
     "time of a collective on its rank"},
    {"comm.bytes", "bytes", Polarity::kNeutral,
     "Bytes of the collectives of a step: what a rank puts in, of all_gather what it gets out; mean; dims: kind, and "
     "group where there are several.",
     "bytes communicated in a step"},
    {"comm.own_busbw_bytes_per_s", "bytes/s", Polarity::kHigherIsBetter,
     "Bus bandwidth from this rank's own time, in which waiting counts: a lower bound; bytes over the median time "
     "times the factor of nccl-tests; dims: kind, bytes, group where there are several.",
     "bus bandwidth with waiting"},
    {"compute.place_key", "1", Polarity::kNeutral,
     "Places of a step: a number for (kernel name, grid, how many of them before in the step), one sample a place; "
     "with the option reference only.",
     "places of compute kernels in a step"},
    {"compute.place_time_ns", "ns", Polarity::kNeutral,
     "Summed time of the kernels at each place over the steps, samples as compute.place_key.", "time at the places"},
    {"compute.place_count", "1", Polarity::kNeutral, "Kernels at each place, samples as compute.place_key.",
     "kernels at the places"},
    {"compute.place_beside_ns", "ns", Polarity::kNeutral,
     "Part of compute.place_time_ns of kernels with communication beside at least half of them.",
     "time at the places beside communication"},
    {"compute.place_beside_count", "1", Polarity::kNeutral, "Kernels of compute.place_beside_ns.",
     "kernels at the places beside communication"},
    {"compute.place_alone_ns", "ns", Polarity::kNeutral,
     "Part of compute.place_time_ns of kernels without any communication beside them.",
     "time at the places without communication"},
    {"compute.place_alone_count", "1", Polarity::kNeutral, "Kernels of compute.place_alone_ns.",
     "kernels at the places without communication"},
    {"compute.matched_ratio", "ratio", Polarity::kNeutral,
     "Compute time at places that the reference without communication has too, over all compute time.",
     "share of compute that can be compared"},
    {"compute.slowdown_ratio", "ratio", Polarity::kLowerIsBetter,
     "Time of the compute kernels over that of the same places of the reference without communication; dims "
     "comm=beside (communication beside at least half of the kernel) and comm=alone (none); absent where less than 0.9 "
     "of the time can be compared.",
     "slowdown of compute beside communication"},
    {"compute.slowdown_ns", "ns", Polarity::kLowerIsBetter,
     "What the compared kernels of a step take longer than in the reference; mean.",
     "compute lost beside communication"},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"comm.streams", "Streams that kernels communicate on, by number."},
};

}  // namespace assay::communication
