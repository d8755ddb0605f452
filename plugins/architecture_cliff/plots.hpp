// The plot of architecture_cliff.
#pragma once

#include "assay/plot.hpp"
#include "rival.hpp"
#include "words.hpp"

namespace assay::cliff {

/// Coloured by launch-bound or not where that is known. The metric of every run along the axis, one small plot a
/// stratum, with the fitted steps and their 95 % bands.
Plot sweep_plot(const StudyView& view, const Names& names, const std::vector<std::string>& block,
                const std::vector<Sweep>& sweeps, const std::vector<Shape>& shapes, const std::optional<Rival>& rival);

}  // namespace assay::cliff
