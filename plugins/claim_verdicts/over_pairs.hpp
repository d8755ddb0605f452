// Claims about all pairs together: their geometric mean, or most of them.
#pragma once

#include "compare.hpp"

namespace assay::claims {

/// The verdict over the strata of a claim with `over` = mean or most, at the claim's level. Strata without an effect
/// are left out; `finding` has the numbers, and is given where any stratum has one.
struct OverPairs {
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::optional<Finding> finding;
};
OverPairs judge_over_pairs(const StudyView& view, const ClaimRuns& gathered, const std::vector<StratumVerdict>& strata,
                           double level);

}  // namespace assay::claims
