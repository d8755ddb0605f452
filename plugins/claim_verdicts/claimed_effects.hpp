// What claims about ratios are judged on, for the analyzers that show the same effects.
#pragma once

#include <map>

#include "assay/output.hpp"
#include "assay/words.hpp"
#include "claim.hpp"

namespace assay::claims {

class ClaimedEffects {
 public:
  /// Adds the effects of the strata of a claim about ratios, and the one over all of them, if any. Of several claims on
  /// one effect the first with an interval counts; without spread between runs there is none to share. `doubted`: by
  /// the A/A pair, so that no interval can be trusted.
  void add(const Claim& claim, const std::vector<StratumVerdict>& strata, const std::optional<Finding>& joint,
           bool doubted);

  /// Emits all as facts of the study (kClaimedRatio).
  void emit(StudySink& sink) const;

 private:
  void add(const LabelTexts& dims, Effect effect, bool doubted);

  std::map<LabelTexts, Effect> effects_;  ///< by dims
};

}  // namespace assay::claims
