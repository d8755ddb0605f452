// The plot of token_reduction_overhead.
#pragma once

#include "analysis.hpp"
#include "assay/plot.hpp"

namespace assay::tokens {

/// Speed-up along the batch with intervals, one line a set of labels; nothing when no cell was measured on both sides.
std::optional<Plot> speedup_plot(const Analysis& analysis);

}  // namespace assay::tokens
