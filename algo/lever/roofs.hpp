// Kernels that take longer than their work needs, by their names and order alone: what each would take at its roof.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "algo/lever/lever.hpp"
#include "algo/lever/program.hpp"
#include "assay/algo/kernel_classes.hpp"

namespace assay::lever {

/// Kernels to shorten, and launches that go with those that vanish.
struct Shortening {
  std::vector<std::pair<std::uint32_t, double>> work;  ///< node, factor of its duration; 0: it is not launched
  std::vector<std::size_t> launches;                   ///< items whose call and code before it vanish
};

/// Of kFp32Products: fp32 products (f32f32, sgemm, simt, not TF32) take their time x fp32 peak / TF32 peak. Of
/// kAttention: softmax with products before and after it, and nothing but pointwise kernels, reductions and masks
/// between: the products x fp32 / bf16 peak, the rest nothing, one launch. Of kPointwise: three or more pointwise
/// kernels in a row in one range, the longest of 10 us or more: one kernel as long as that. Empty for devices whose
/// peaks are not known, and for other levers.
Shortening shortening_by(LeverKind lever, const Program& program, const NameRules& classes);

}  // namespace assay::lever
