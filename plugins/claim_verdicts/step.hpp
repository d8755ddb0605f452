// How much a metric rises between two neighbouring levels of an axis, with blocks fitted.
#pragma once

#include "assay/algo/contrast.hpp"
#include "claim.hpp"

namespace assay::claims {

/// Of a metric that is not compared, since runs have unequal lengths.
std::string why_no_length(const std::string& metric);

/// Why no step is judged in a cell: runs of unequal length, or a level that none of its runs has. Empty: nothing speaks
/// against it. A claim of the step's sign alone is judged per iteration where lengths are unequal.
std::string why_no_step(const StudyView& view, const Claim& claim, const Stratum& cell);

/// The difference of the block-adjusted levels after and before the step, in the metric's unit, with a t interval from
/// the spread of the runs around the fit: a spread between runs. Nothing when fewer than one degree of freedom is left
/// or a level is missing.
std::optional<Contrast> step_contrast(const StudyView& view, const Claim& claim, const Stratum& cell, double level);

}  // namespace assay::claims
