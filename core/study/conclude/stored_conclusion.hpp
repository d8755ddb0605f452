// Digest of what an analyzer sees when it concludes, and its serialized output, so that equal inputs are not concluded
// again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conclude/study_sink.hpp"
#include "files/digest.hpp"
#include "plan/plan.hpp"

namespace assay {

/// Covers everything that `conclude` can see of a study: digests are equal exactly for equal studies. `claims` are
/// those of the question, whose keys the study only points to.
files::Digest seen_digest(const Study& study, const std::vector<PlannedClaim>& claims);

std::string to_bytes(const StudyOutput& output);

/// Empty unless the bytes are exactly an output that the analyzer `by` could have produced for a study with so many
/// reports and claims.
std::optional<StudyOutput> conclusion_from_bytes(std::string_view bytes, const Descriptor& by, const Study& study);

}  // namespace assay
