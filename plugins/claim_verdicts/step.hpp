// How much a metric rises between two neighbouring levels of an axis, with blocks fitted.
#pragma once

#include "assay/algo/contrast.hpp"
#include "claim.hpp"

namespace assay::claims {

/// The difference of the block-adjusted levels after and before the step, in the metric's unit, with a t interval from
/// the spread of the runs around the fit: a spread between runs. Nothing when fewer than one degree of freedom is left
/// or a level is missing.
std::optional<Contrast> step_contrast(const StudyView& view, const Claim& claim, const Stratum& cell, double level);

}  // namespace assay::claims
