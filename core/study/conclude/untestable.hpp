// Reports claims that the available reports cannot test, before anything else, with the run that would make them
// testable.
#pragma once

#include <string>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// The run that a claim lacks, by labels: reports that meet its `where`, with values `base` and `treated` of its
/// `label`. A clause; empty if the names are complete, or the claim has no such keys.
std::string lacking_run(const PlannedClaim& claim, const PlannedQuestion& planned, const Catalog& catalog,
                        const QuestionCatalog& found);

/// One note of the host on all untestable claims; empty if there are none.
std::vector<OwnedFinding> untestable_claims(const AnalyzedQuestion& question, const std::vector<OwnedClaim>& claims);

}  // namespace assay
