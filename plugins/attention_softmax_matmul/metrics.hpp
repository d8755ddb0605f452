// What attention_softmax_matmul emits.
#pragma once

#include "assay/abi.hpp"

namespace assay::attention {

inline constexpr MetricSpec kMetrics[] = {
    {"attention.time_ns", "ns", Polarity::kLowerIsBetter,
     "GPU time: union of the kernels launched inside the ranges of a part; dims: part=scores|softmax|values|whole, or "
     "fused "
     "for kernels that do all of it.",
     "GPU time of a part of attention", kExtensive},
    {"attention.host_time_ns", "ns", Polarity::kLowerIsBetter,
     "Summed length of the ranges (or operators) of a part on the host; dims: part.",
     "host time of a part of attention", kExtensive},
    {"attention.product_time_ns", "ns", Polarity::kLowerIsBetter,
     "Of attention.time_ns, the union of the kernels that are matrix products by their names; dims: "
     "part=scores|values.",
     "GPU time of the matrix products of attention", kExtensive},
    {"attention.range_count", "1", Polarity::kNeutral, "Ranges of a part that were measured; dims: part.",
     "measured ranges of a part of attention", kExtensive},
    {"attention.kernel_count", "1", Polarity::kNeutral, "Kernels launched inside the ranges of a part; dims: part.",
     "kernels of a part of attention", kExtensive},
    {"attention.batched_products", "1", Polarity::kNeutral,
     "Products that one batched kernel computes (its grid z, where all of them share it): batch times heads.",
     "products that one batched kernel computes"},
    {"attention.time_ratio_softmax_to_matmul", "ratio", Polarity::kNeutral,
     "GPU time of softmax over that of scores and values together: median over the iterations, without any over all "
     "ranges.",
     "GPU time of softmax over matrix products"},
    {"attention.time_ratio_softmax_to_products", "ratio", Polarity::kNeutral,
     "GPU time of softmax over that of the product kernels alone, without scaling and masking in their ranges.",
     "GPU time of softmax over product kernels alone"},
    {"attention.host_time_ratio_softmax_to_matmul", "ratio", Polarity::kNeutral,
     "Host time of softmax over that of scores and values together.", "host time of softmax over matrix products"},
    {"attention.bound_time_ratio", "ratio", Polarity::kNeutral,
     "Share of the kernels' durations in a part by what bounds them (Nsight Compute); absent without counters; dims: "
     "part, bound=compute|memory|latency|unknown.",
     "what bounds the kernels of a part of attention"},
    {"attention.flops", "1", Polarity::kNeutral,
     "Floating-point operations of a part of one attention call, from its shape: 2*B*H*N*N*D a product, 5*B*H*N*N "
     "softmax; "
     "dims: part.",
     "operations of a part of one attention call"},
    {"attention.flop_ratio_matmul_to_softmax", "ratio", Polarity::kNeutral,
     "Operations of both products over those of softmax.", "operations of the products over those of softmax"},
    {"attention.flops_per_s", "1/s", Polarity::kHigherIsBetter,
     "Operations of a part times its ranges over its GPU time; dims: part.",
     "operations per second of a part of attention"},
};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"attention.rules", "Version of the rules that classify kernels as products or fused attention."},
    {"attention.fused_kernel",
     "Base name of the first kernel that computes all of attention, if its parts cannot be separated."},
};

}  // namespace assay::attention
