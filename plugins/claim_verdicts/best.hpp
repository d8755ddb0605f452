// compare = "best": which values of a label are the best of all, as a set.
#pragma once

#include "compare.hpp"
#include "recorded.hpp"

namespace assay::claims {

/// The runs of a claim: one cell per combination of the other labels, with the runs of all values in `treated`.
void gather_best(const StudyView& view, ClaimRuns& gathered);

/// Hands out the set as a verdict with one stratum per value (supported or open: in the set; refuted: surely worse by
/// more than the margin), as facts, and as a plot. `error`: chance that the best is not in it. `doubt`: why nothing is
/// decided; empty: nothing speaks against it.
void emit_best(const StudyView& view, const ClaimRuns& gathered, const NoiseFloor& floor, double error,
               const std::string& doubt, StudySink& sink);

}  // namespace assay::claims
