// Tables about scaling.
#pragma once

#include "words.hpp"

namespace assay::scaling {

/// One row a metric of the headline, over all models with two levels: values at the first and the last level, their
/// ratio, what the spread between repeat runs leaves of it, and how many models grow. Opens the answer.
Table effects_table(const StudyView& view, const ScalingQuestion& asked, const std::vector<SweepResult>& results);
/// One row a sweep and level: efficiency, costs, shares of the parts.
Table level_table(const StudyView& view, const ScalingQuestion& asked, const std::vector<SweepResult>& results);
/// One row a sweep and cost that has an exponent.
Table exponent_table(const ScalingQuestion& asked, const std::vector<SweepResult>& results);

}  // namespace assay::scaling
