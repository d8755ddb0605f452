#include "claimed_effects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "assay/algo/pairs.hpp"

namespace assay::claims {

void ClaimedEffects::add(const Claim& claim, const std::vector<StratumVerdict>& strata,
                         const std::optional<Finding>& joint, bool doubted) {
  if (claim.compare != Compare::kRatio) return;
  for (const StratumVerdict& stratum : strata) {
    LabelTexts labels = stratum.labels;
    const auto under_test = std::ranges::find(labels, claim.label, &LabelTexts::value_type::first);
    if (!stratum.effect || under_test == labels.end()) continue;
    const LabelPair pair{claim.label, claim.base, under_test->second};
    labels.erase(under_test);
    add(claimed_dims({claim.metric, claim.dims}, pair, labels), *stratum.effect, doubted);
  }
  if (joint && joint->effect && strata.size() > 1 && claim.treated.size() == 1)
    add(claimed_dims({claim.metric, claim.dims}, {claim.label, claim.base, claim.treated.front()}, {}), *joint->effect,
        doubted);
}

void ClaimedEffects::add(const LabelTexts& dims, Effect effect, bool doubted) {
  std::set<std::string_view> keys;
  for (const auto& [key, value] : dims) keys.insert(key);
  // A label called like a dim of the metric leaves the fact without a name.
  if (effect.scope != Scope::kBetweenRun || keys.size() != dims.size()) return;
  if (doubted) effect.lo = effect.hi = std::numeric_limits<double>::quiet_NaN();
  Effect& known = effects_.try_emplace(dims, effect).first->second;
  if (std::isnan(known.lo)) known = effect;
}

void ClaimedEffects::emit(StudySink& sink) const {
  for (const auto& [labels, effect] : effects_) {
    const std::vector<Dim> dims = dims_of(labels);
    sink.fact(kClaimedRatio, effect.value, dims);
    sink.fact(kClaimedLevel, effect.level, dims);
    if (!std::isfinite(effect.lo) || !std::isfinite(effect.hi)) continue;
    sink.fact(kClaimedLow, effect.lo, dims);
    sink.fact(kClaimedHigh, effect.hi, dims);
  }
}

}  // namespace assay::claims
