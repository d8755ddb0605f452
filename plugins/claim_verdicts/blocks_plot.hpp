// Plots of the measurements of a recording, block by block.
#pragma once

#include <vector>

#include "compare.hpp"

namespace assay::claims {

/// One plot per metric that claims judge on recorded runs: a line per cell over the blocks in order, including the
/// second run of the A/A pair. None without recorded runs.
void plot_blocks(const StudyView& view, const std::vector<ClaimRuns>& gathered, StudySink& sink);

}  // namespace assay::claims
