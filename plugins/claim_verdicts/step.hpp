// How much a metric rises between two neighbouring levels of an axis, with blocks fitted.
#pragma once

#include "assay/algo/contrast.hpp"
#include "claim.hpp"

namespace assay::claims {

/// Text for a metric that is not compared because runs differ in length.
std::string why_no_length(const std::string& metric);

/// Why no step is judged in a cell: runs of different length, or a level without runs. Empty: no objection. A claim on
/// the sign alone is judged per iteration if lengths differ.
std::string why_no_step(const StudyView& view, const Claim& claim, const Stratum& cell);

/// The difference of the block-adjusted levels after and before the step, in the unit of the metric, with a t interval
/// from the spread of the runs around the fit, that is, between runs. Empty if less than one degree of freedom is left
/// or a level is missing.
std::optional<Contrast> step_contrast(const StudyView& view, const Claim& claim, const Stratum& cell, double level);

}  // namespace assay::claims
