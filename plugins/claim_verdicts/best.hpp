// compare = "best": the set of label values that may be the best.
#pragma once

#include "compare.hpp"
#include "recorded.hpp"

namespace assay::claims {

/// Gathers the runs of a claim: one cell per combination of the other labels, with the runs of all values in `treated`.
void gather_best(const StudyView& view, ClaimRuns& gathered);

/// Emits the set as a verdict with one stratum per value (supported or open: in the set; refuted: certainly worse by
/// more than the margin), as facts, and as a plot. `error`: probability that the best value is not in it. `doubt`: why
/// nothing is decided; empty: no doubt.
void emit_best(const StudyView& view, const ClaimRuns& gathered, const NoiseFloor& floor, double error,
               const std::string& doubt, StudySink& sink);

}  // namespace assay::claims
