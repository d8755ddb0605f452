// A claim about facts of the whole study: conclusions of another analyzer rather than facts of one report.
#pragma once

#include <optional>
#include <vector>

#include "assay/algo/contrast.hpp"
#include "claim.hpp"

namespace assay::claims {

/// One cell per fact of the metric whose dims include all of the claim's.
std::vector<ClaimCell> study_cells(const StudyView& view, const Claim& claim);

/// The fact with its interval: the value itself if the claim is exact; otherwise value * exp(+-t * s), with s and the
/// degrees of freedom of t from facts with the same dims; otherwise none, which decides nothing.
std::optional<Contrast> study_contrast(const StudyView& view, const Claim& claim, const ClaimCell& cell, double level);

/// Makes the value itself the interval, for a number that cannot err by chance.
void make_exact(Contrast& contrast);

}  // namespace assay::claims
