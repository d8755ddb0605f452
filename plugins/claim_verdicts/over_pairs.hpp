// Claims about all pairs together: their geometric mean, or most of them.
#pragma once

#include "compare.hpp"

namespace assay::claims {

/// The verdict over the strata of a claim with `over` = mean or most, at the level of the claim. Strata without an
/// effect are skipped; `finding` has the numbers and is set if any stratum has an effect.
struct OverPairs {
  Verdict verdict = Verdict::kUntestable;
  std::string reason;
  std::optional<Finding> finding;
};
OverPairs judge_over_pairs(const StudyView& view, const ClaimRuns& gathered, const std::vector<StratumVerdict>& strata,
                           double level);

}  // namespace assay::claims
