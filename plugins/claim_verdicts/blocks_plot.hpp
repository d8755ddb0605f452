// What a recording measured, block after block.
#pragma once

#include <vector>

#include "compare.hpp"

namespace assay::claims {

/// One plot per metric that claims judge on recorded runs: a line per cell over the blocks as they came, the second of
/// the A/A pair among them. None without runs of a recording.
void plot_blocks(const StudyView& view, const std::vector<ClaimRuns>& gathered, StudySink& sink);

}  // namespace assay::claims
