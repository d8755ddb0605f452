// The plot of pipeline_variation.
#pragma once

#include "assay/plot.hpp"
#include "options.hpp"

namespace assay::pipeline {

/// Every pair of every change with its interval, one small plot a metric; nothing when no pair was measured.
std::optional<Plot> option_plot(const Design& design, const Comparison& comparison);

}  // namespace assay::pipeline
