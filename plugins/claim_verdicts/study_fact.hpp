// A claim about facts of the whole study: what another analyzer concluded, not what one report holds.
#pragma once

#include <optional>
#include <vector>

#include "assay/algo/contrast.hpp"
#include "claim.hpp"

namespace assay::claims {

/// One cell per fact of the metric whose dims hold all of the claim's.
std::vector<ClaimCell> study_cells(const StudyView& view, const Claim& claim);

/// The fact with its interval: the value itself when the claim is exact; else value * exp(+-t * s), s and t's degrees
/// being facts of the same dims; else none, which decides nothing.
std::optional<Contrast> study_contrast(const StudyView& view, const Claim& claim, const ClaimCell& cell, double level);

/// Makes the value itself the interval: of a number that cannot err by chance.
void make_exact(Contrast& contrast);

}  // namespace assay::claims
