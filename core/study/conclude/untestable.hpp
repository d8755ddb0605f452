// Claims that the reports at hand cannot test, said before all else, and the run that would make them testable.
#pragma once

#include <string>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// Which run a claim lacks by the labels of the reports: those that meet its `where`, and of its `label` the values
/// `base` and `treated`. A clause; empty where names leave nothing to be wished for, or the claim has no such keys.
std::string lacking_run(const PlannedClaim& claim, const PlannedQuestion& planned, const Catalog& catalog,
                        const QuestionCatalog& found);

/// One note of the host on all claims that were found untestable; none where there are none.
std::vector<OwnedFinding> untestable_claims(const AnalyzedQuestion& question, const std::vector<OwnedClaim>& claims);

}  // namespace assay
