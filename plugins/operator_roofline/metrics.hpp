// What the analyzer measures, by name.
#pragma once

#include "assay/sdk.hpp"

namespace assay::roofline {

inline constexpr MetricSpec kMetrics[] = {
    {"step.mfu_ratio", "ratio", Polarity::kHigherIsBetter,
     "Model FLOPs utilization of a step, mean over the steps: FLOPs of its matrix products, attention and "
     "convolutions, "
     "each over the dense peak of its type, by the time of the step. What is recomputed does not count.",
     "model FLOPs utilization (MFU)"},
    {"step.hfu_ratio", "ratio", Polarity::kNeutral,
     "Hardware FLOPs utilization of a step, mean over the steps: as step.mfu_ratio, with what is recomputed (flash "
     "attention backward, checkpoints).",
     "hardware FLOPs utilization (HFU)"},
    {"step.least_time_ns", "ns", Polarity::kNeutral,
     "Sum of the least times of a step's modelled operators, mean over the steps: each the longer of FLOPs over peak "
     "and "
     "least bytes over bandwidth.",
     "least time of a step's operators"},
    {"operator.time_ns", "ns", Polarity::kLowerIsBetter,
     "GPU time of an operator with its shapes, all calls: of each the union of the kernels below it; dims: operator, "
     "shapes. Without dims: of all operators.",
     "GPU time of an operator", true},
    {"operator.count", "1", Polarity::kNeutral, "Calls of an operator with its shapes that ran kernels.",
     "calls of an operator", true},
    {"operator.flops", "FLOP", Polarity::kNeutral, "FLOPs of the model of one call, with what is recomputed.",
     "FLOPs of a call"},
    {"operator.least_bytes", "bytes", Polarity::kNeutral, "Least bytes of one call: each operand once.",
     "least bytes of a call"},
    {"operator.flops_per_s", "FLOP/s", Polarity::kHigherIsBetter, "FLOPs of all calls over operator.time_ns.",
     "FLOP/s of an operator"},
    {"operator.bytes_per_s", "bytes/s", Polarity::kHigherIsBetter, "Least bytes of all calls over operator.time_ns.",
     "bytes/s of an operator"},
    {"operator.roof_ratio", "ratio", Polarity::kHigherIsBetter,
     "Least time of all calls over operator.time_ns: 1 is on the roof. Without dims: of all operators that have a "
     "roof.",
     "share of the roof"},
    {"operator.above_roof_ns", "ns", Polarity::kLowerIsBetter,
     "Time of an operator above its roof, all calls: what could be gained at most; 0 where its operands came from "
     "caches. "
     "Without dims: of all operators.",
     "time above the roof", true},
    {"operator.unmodelled_time_ratio", "ratio", Polarity::kLowerIsBetter,
     "Share of the operators' GPU time without a model. With the dim reason=no_operator|no_shapes|no_formula|operands: "
     "the part for that reason.",
     "GPU time without a model"},
    {"operator_kind.time_ns", "ns", Polarity::kLowerIsBetter,
     "GPU time of all operators of a kind; dims: kind (matrix product, attention, norm, elementwise, ...).",
     "GPU time of a kind of operators", true},
    {"operator_kind.count", "1", Polarity::kNeutral, "Calls of all operators of a kind; dims: kind.",
     "calls of a kind of operators", true},
    {"operator_kind.roof_ratio", "ratio", Polarity::kHigherIsBetter,
     "Least time of all operators of a kind over operator_kind.time_ns; dims: kind.", "share of the roof of a kind"},
    {"operator.counted_flops_ratio", "ratio", Polarity::kNeutral,
     "FLOPs that Nsight Compute counted over those of the model, of calls all of whose kernels have counters; dims: "
     "operator, shapes.",
     "counted FLOPs over modelled ones"},
    {"operator.counted_bytes_ratio", "ratio", Polarity::kNeutral,
     "Bytes of DRAM that Nsight Compute counted over the least bytes, as operator.counted_flops_ratio.",
     "counted bytes over least bytes"},
    {"peak.flops_per_s", "FLOP/s", Polarity::kNeutral,
     "Dense peak that the roof rests on; dims: type. Multiprocessors x clock x FLOPs per multiprocessor and clock.",
     "dense peak of the device"},
    {"peak.bytes_per_s", "bytes/s", Polarity::kNeutral, "Bandwidth of memory that the roof rests on.",
     "memory bandwidth of the device"},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"peak.sources", "Where multiprocessors, clock and bandwidth of the roof come from."},
};

}  // namespace assay::roofline
