#include "need.hpp"

#include <algorithm>
#include <cmath>

#include "assay/pair_outputs.hpp"

namespace assay::claims {
namespace {

constexpr double kOpen = std::numeric_limits<double>::infinity();

/// An effect on the scale of the interval; infinite if it is outside that scale.
double to_scale(double effect, NeedScale scale) {
  if (scale == NeedScale::kMetric || std::isinf(effect)) return effect;
  if (effect <= 0) return -kOpen;
  if (scale == NeedScale::kLogs) return std::log(effect);
  return effect >= 1 ? kOpen : std::log(effect / (1 - effect));
}

Need need_of(const Claim& claim, const Contrast& contrast, NeedUnit unit) {
  Need need;
  need.unit = unit;
  need.scale = claim.compare == Compare::kStep ? NeedScale::kMetric
               : contrast.basis.logits         ? NeedScale::kLogits
                                               : NeedScale::kLogs;
  need.low = to_scale(claim.low, need.scale);
  need.high = to_scale(claim.high, need.scale);
  need.centre = contrast.basis.centre;
  need.spread = contrast.basis.sd;
  need.degrees = contrast.basis.degrees;
  need.sides = claim.compare == Compare::kRatio ? 2 : 1;
  need.seen = static_cast<std::int64_t>(contrast.basis.runs);
  return need;
}

void in_vain(StratumVerdict& stratum, std::string why, NeedUnit unit = NeedUnit::kNothing) {
  stratum.need.unit = unit;
  stratum.in_vain = std::move(why);
}

/// If the runs themselves have no spread, uses that of other runs of one program, if any.
void borrow_spread(const Contrast& contrast, const NoiseFloor& floor, Need& need) {
  const double value = contrast.effect.value;
  if (need.degrees > 0 || !floor.known() || !(value > 0)) return;
  need.scale = floor.logits && need.sides == 1 ? NeedScale::kLogits : NeedScale::kLogs;
  need.spread = need.scale == NeedScale::kLogits ? std::sqrt(spread_prior(floor.spreads).variance) : floor.sd_log;
  need.degrees = floor.degrees;
  need.centre = need.scale == NeedScale::kLogits ? floor.scaled(value) : std::log(value);
}

}  // namespace

void set_runs_needed(const Claim& claim, const Contrast& contrast, const NoiseFloor& floor, StratumVerdict& stratum) {
  constexpr std::int64_t kMin = 3;  // two runs are too few to estimate the spread for planning
  if (claim.compare == Compare::kStudy || claim.exact)
    return in_vain(
        stratum, "it is judged on a fact of the whole study, which more runs may change but do not make more precise");
  if (claim.compare == Compare::kStep)
    return in_vain(stratum, "the spread of single runs does not apply to this comparison; record it in blocks");
  if (!(contrast.effect.value > 0)) return in_vain(stratum, "a value of it is not positive, so it has no log");
  Need need = need_of(claim, contrast, NeedUnit::kRuns);
  borrow_spread(contrast, floor, need);
  if (!(need.degrees > 0)) return in_vain(stratum, "run-to-run noise is unknown: there are no repeat runs");
  need.low = to_scale(claim.low, need.scale);
  need.high = to_scale(claim.high, need.scale);
  const RunClaim asked{need.low, need.high, contrast.effect.level, static_cast<std::size_t>(need.sides)};
  const std::size_t runs = runs_needed(need.centre, need.spread, asked, kMaxNeeded);
  need.needed = std::max({kMin, need.seen + 1, static_cast<std::int64_t>(runs)});
  stratum.need = need;
}

void set_blocks_needed(const Claim& claim, const RecordedContrast& recorded, StratumVerdict& stratum) {
  if (recorded.changed)
    return in_vain(stratum, stratum.reason + "; find out what changed, then start over with --fresh",
                   NeedUnit::kChanged);
  Need need = need_of(claim, recorded.contrast, NeedUnit::kBlocks);
  if (need.seen < 2) return in_vain(stratum, "run-to-run noise is unknown: there are no repeat runs");
  need.unseen = recorded.unseen;
  const SequenceClaim asked{need.low, need.high, recorded.contrast.effect.level, need.unseen, need.sides == 2};
  const std::size_t blocks = sequence_blocks_needed(need.centre, need.spread, asked, kMaxNeeded);
  need.needed = std::max(need.seen + 1, static_cast<std::int64_t>(blocks));
  stratum.need = need;
}

std::string why_not_confirmed(const Claim& claim, const NoiseFloor& floor, const StratumVerdict& stratum) {
  const bool pair = claim.compare == Compare::kRatio, known = stratum.need.unit == NeedUnit::kRuns;
  const auto runs = known ? std::optional(static_cast<std::size_t>(stratum.need.needed)) : std::nullopt;
  return (pair ? "not confirmed: one run per side. " : "not confirmed: one run. ") +
         what_runs_would_settle(floor, runs, pair);
}

}  // namespace assay::claims
