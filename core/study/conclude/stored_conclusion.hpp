// What one analyzer sees when it concludes, as a digest, and what it then gave, as bytes: so that conclusions from the
// same are not drawn again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conclude/study_sink.hpp"
#include "files/digest.hpp"
#include "plan/plan.hpp"

namespace assay {

/// Of everything that `conclude` can see of a study: equal studies give equal digests, others do not. `claims` are
/// those of the question, whose keys the study only points to.
files::Digest seen_digest(const Study& study, const std::vector<PlannedClaim>& claims);

std::string to_bytes(const StudyOutput& output);

/// Nothing when the bytes are not, to the last one, what the analyzer `by` could have given for a study of so many
/// reports and claims.
std::optional<StudyOutput> conclusion_from_bytes(std::string_view bytes, const Descriptor& by, const Study& study);

}  // namespace assay
