#include "over_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/algo/joint.hpp"
#include "assay/algo/pairs.hpp"
#include "assay/words.hpp"

namespace assay::claims {
namespace {

/// Position of an interval relative to a range.
Verdict verdict_of(double lo, double hi, double low, double high) {
  if (lo >= low && hi <= high) return Verdict::kSupported;
  return hi < low || lo > high ? Verdict::kRefuted : Verdict::kInconclusive;
}

JointEffect joint_of(const StudyView& view, const ClaimRuns& g, const std::vector<StratumVerdict>& strata,
                     double level) {
  std::map<std::vector<std::size_t>, std::size_t> bases;
  std::vector<PairLog> logs;
  std::vector<std::size_t> base, treated;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    if (!strata[i].effect || !(strata[i].effect->value > 0)) continue;
    const Stratum& cell = g.cells[i];
    logs.push_back({std::log(strata[i].effect->value), bases.emplace(cell.base.reports(), bases.size()).first->second});
    base.insert(base.end(), cell.base.begin(), cell.base.end());
    treated.insert(treated.end(), cell.treated.begin(), cell.treated.end());
  }
  if (logs.empty()) return {};
  JointEffect out = joint_effect(logs, level);
  out.days_apart = recorded_days_apart(view, base, treated);
  return out;
}

}  // namespace

OverPairs judge_over_pairs(const StudyView& view, const ClaimRuns& g, const std::vector<StratumVerdict>& strata,
                           double level) {
  const Claim& claim = g.claim;
  const JointEffect joint = joint_of(view, g, strata, level);
  OverPairs out;
  if (joint.pairs == 0) {
    out.reason = "no pair has a ratio";
    return out;
  }
  const auto row = view.metric(claim.metric);
  out.reason = joint_text(joint, row ? view.study().metrics->unit[*row].view() : std::string_view());
  Verdict verdict = verdict_of(joint.lo, joint.hi, claim.low, claim.high);
  if (claim.over == Over::kMax) {
    const auto inside = static_cast<std::size_t>(std::ranges::count_if(
        joint.logs, [&](double log) { return std::exp(log) >= claim.low && std::exp(log) <= claim.high; }));
    const Bounds share = binomial_interval(inside, joint.cells, level);
    verdict = verdict_of(share.lo, share.hi, 0.5, 1);
    out.reason = filled(
        "{} lie in the claimed range (exact interval of the share {}); {}",
        {counted_of(inside, joint.cells, "independent pair"), printed("[%.2f, %.2f]", share.lo, share.hi), out.reason});
  }
  out.verdict = joint.decides() ? verdict : Verdict::kInconclusive;
  if (joint.days_apart)
    out.reason += "; base and treated runs were recorded on different days, so the claim cannot be decided";
  if (joint.cells < kMinCells)
    out.reason += "; fewer than " + std::to_string(kMinCells) + " independent pairs are too few to decide";
  if (joint.pairs < strata.size())
    out.reason += "; " + counted(strata.size() - joint.pairs, "pair") + " without a ratio left out";

  Finding& finding = out.finding.emplace();
  finding.title = claim.id + ": " + out.reason;
  finding.text = "The pairs together, on " + claim.metric + ".";
  finding.pairs = static_cast<std::int64_t>(joint.pairs);
  finding.agreeing = static_cast<std::int64_t>(joint.agreeing());
  finding.method =
      printed("geometric mean over pairs, t interval on the spread between %zu independent ones", joint.cells);
  Effect& effect = finding.effect.emplace();
  if (row) effect.metric = view.study().metrics->id[*row];
  effect.scope = joint.decides() ? Scope::kBetweenRun : Scope::kWithinRun;
  effect.value = joint.ratio;
  effect.lo = joint.lo;
  effect.hi = joint.hi;
  effect.level = level;
  for (const StratumVerdict& stratum : strata) effect.n += stratum.effect ? stratum.effect->n : 0;
  return out;
}

}  // namespace assay::claims
