// The plot of architecture_cliff.
#pragma once

#include "assay/plot.hpp"
#include "words.hpp"

namespace assay::cliff {

/// The metric of every run along the axis, one small plot a stratum, with the fitted steps and their 95 % bands.
Plot sweep_plot(const StudyView& view, const Names& names, const std::vector<std::string>& block,
                const std::vector<Sweep>& sweeps, const std::vector<Shape>& shapes);

}  // namespace assay::cliff
