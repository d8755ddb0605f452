// The plot of kernel_breakdown.
#pragma once

#include "assay/plot.hpp"
#include "words.hpp"

namespace assay::breakdown {

/// Shares of kernel time by class, one stacked bar a report. `runs` is not empty.
Plot class_plot(const StudyView& view, const std::vector<RunKernels>& runs, const std::string& matmul);

}  // namespace assay::breakdown
