// The plot of resolution_scaling.
#pragma once

#include "assay/plot.hpp"
#include "words.hpp"

namespace assay::scaling {

/// Costs along the axis with the fitted lines, both scales logarithmic, one small plot a cost of the answer's title;
/// nothing when no cost was fitted.
std::optional<Plot> growth_plot(const StudyView& view, const Asked& asked, const std::vector<SweepResult>& results);

}  // namespace assay::scaling
