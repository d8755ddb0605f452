// The plot of step_breakdown.
#pragma once

#include "advice.hpp"
#include "assay/plot.hpp"

namespace assay::step {

/// What a step's time goes to, one stacked bar a report. `runs` is not empty.
Plot split_plot(const StudyView& view, const std::vector<Run>& runs);

}  // namespace assay::step
