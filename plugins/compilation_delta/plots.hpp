// The plot of compilation_delta.
#pragma once

#include "assay/plot.hpp"
#include "delta.hpp"

namespace assay::compile {

/// Every pair's ratio with its interval, one small plot a metric; nothing when no pair was measured.
std::optional<Plot> pair_plot(const Delta& delta, const Design& design);

}  // namespace assay::compile
