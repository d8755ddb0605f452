// Tables about scaling.
#pragma once

#include "words.hpp"

namespace assay::scaling {

/// One row per headline metric, over all models with two levels: values at the first and last level, their ratio, its
/// interval from the spread between repeat runs, and the number of growing models. Opens the answer.
Table effects_table(const StudyView& view, const ScalingQuestion& asked, const std::vector<SweepResult>& results);
/// One row per sweep and level: efficiency, costs, shares of the parts.
Table level_table(const StudyView& view, const ScalingQuestion& asked, const std::vector<SweepResult>& results);
/// One row per sweep and cost with an exponent.
Table exponent_table(const ScalingQuestion& asked, const std::vector<SweepResult>& results);

}  // namespace assay::scaling
