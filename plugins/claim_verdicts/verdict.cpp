#include <algorithm>
#include <array>
#include <map>

#include "assay/words.hpp"
#include "compare.hpp"
#include "recorded.hpp"
#include "step.hpp"
#include "study_fact.hpp"

namespace assay::claims {
namespace {

StratumVerdict untestable(const Stratum& cell, std::string reason) {
  StratumVerdict out;
  out.labels = cell.labels;
  out.reason = std::move(reason);
  return out;
}

/// The cell's effect by the claim's comparison, or nothing when it cannot be made.
std::optional<Contrast> effect_of(const StudyView& view, const Claim& claim, const Stratum& cell,
                                  const NoiseFloor& floor, double level) {
  if (claim.compare != Compare::kStudy && !claim.exact && is_recorded(view, cell))
    return recorded_contrast(view, claim, cell, floor, level);
  switch (claim.compare) {
    case Compare::kLevel: {
      auto contrast = level_contrast(view, cell.treated, claim.metric, claim.dims, floor, level, claim.id);
      if (contrast && claim.exact) make_exact(*contrast);
      return contrast;
    }
    case Compare::kRatio:
      return ratio_contrast(view, cell, claim.metric, claim.dims, floor, level, claim.id);
    case Compare::kStep:
      return step_contrast(view, claim, cell, level);
    case Compare::kStudy:
      return study_contrast(view, claim, cell, level);
  }
  return std::nullopt;
}

std::string why_no_effect(const StudyView& view, const Claim& claim, const Stratum& cell) {
  if (claim.compare != Compare::kStudy && is_recorded(view, cell))
    return "no block has the runs that the claim compares";
  if (claim.compare == Compare::kStep)
    return "too few runs on both sides of the step to tell it from the spread between runs";
  const Lengths lengths = lengths_of(view, cell.base, cell.treated, claim.metric, claim.dims);
  if (!lengths.comparable()) return claim.metric + " is not compared: " + lengths.refused;
  if (claim.compare == Compare::kLevel && lengths.per_iteration)
    return claim.metric + " grows with the length of a run, and these runs have unequally many iterations";
  return "no positive values of " + claim.metric + " on both sides";
}

StratumVerdict judge_cell(const StudyView& view, const Claim& claim, const Stratum& cell, const NoiseFloor& floor,
                          double level) {
  const auto contrast = effect_of(view, claim, cell, floor, level);
  if (!contrast) return untestable(cell, why_no_effect(view, claim, cell));
  StratumVerdict out;
  out.labels = cell.labels;
  out.effect = contrast->effect;
  out.method = contrast->method;
  out.evidence = contrast->evidence;
  out.verdict = judge(contrast->effect, claim.low, claim.high);
  if (out.verdict == Verdict::kInconclusive) {
    out.reason =
        std::isnan(contrast->effect.lo) && is_recorded(view, cell) ? "there are too few blocks for an interval"
        : contrast->effect.scope != Scope::kWithinRun ? "the interval straddles an end of the claimed range"
        : claim.compare == Compare::kStudy
            ? "how far the value is to be trusted is not known"
            : "only the spread within the runs is known: no two runs of one program tell how much equal runs differ";
  } else {
    out.reason = out.verdict == Verdict::kSupported ? "the interval lies inside the claimed range"
                                                    : "the interval lies wholly outside the claimed range";
  }
  return out;
}

/// A claim speaks of all its strata: one that contradicts refutes it, one that is open leaves it open. Among k strata a
/// single one contradicts by chance k times as often, so that it takes one that does so at 1 - (1 - level)/(m k) too.
Verdict over_all(const std::vector<StratumVerdict>& strata, bool refuted_for_all) {
  const auto any = [&](Verdict verdict) {
    return std::any_of(strata.begin(), strata.end(), [&](const StratumVerdict& s) { return s.verdict == verdict; });
  };
  if (refuted_for_all) return Verdict::kRefuted;
  if (any(Verdict::kRefuted) || any(Verdict::kInconclusive)) return Verdict::kInconclusive;
  return any(Verdict::kSupported) ? Verdict::kSupported : Verdict::kUntestable;
}

/// Of one stratum its own reason, which says more than that it is one of one.
std::string tally(const std::vector<StratumVerdict>& strata) {
  if (strata.size() == 1) return strata.front().reason;
  std::array<std::size_t, 4> count{};
  for (const StratumVerdict& s : strata) ++count[static_cast<std::size_t>(s.verdict)];
  std::string text;
  for (std::size_t v = 0; v < count.size(); ++v) {
    if (count[v] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(verdict_name(static_cast<Verdict>(v))) + " in " +
            std::to_string(count[v]);
  }
  return text + " of " + std::to_string(strata.size()) + " strata";
}

/// What the A/A pair of a recording says against its verdicts; empty: nothing.
std::string twin_text(const StudyView& view, const Claim& claim, double level) {
  const auto twins = twin_contrast(view, claim, level);
  if (!twins || !differs(*twins)) return {};
  return "the A/A pair, one program under two names, differs on it by " + percent(twins->effect.value - 1) +
         ", so no difference can be believed";
}

std::string why_no_cells(const StudyView& view, const Gathered& g) {
  const bool pairs = g.claim.compare == Compare::kRatio;
  if (!g.left_out.empty() && (!pairs || !g.claim.where.empty() || g.left_out.size() == 1)) {
    const std::string rest = g.left_out.size() == 1 ? "" : ", and " + std::to_string(g.left_out.size() - 1) + " more";
    return std::string(view.path(g.left_out.front().report)) + ": " + g.left_out.front().reason + rest;
  }
  if (!g.left_out.empty()) return "no two runs differ in " + g.claim.label + " alone";
  if (g.claim.compare == Compare::kStudy) return "no fact of the study is " + g.claim.metric + " with the claim's dims";
  return "no run with the claim's labels has " + g.claim.metric;
}

/// A number that cannot err by chance has none, nor has what no pair of runs gives.
bool rests_on_a_floor(const Claim& claim) {
  return !claim.exact && (claim.compare == Compare::kLevel || claim.compare == Compare::kRatio);
}

}  // namespace

NoiseFloor floor_of(const StudyView& view, const Gathered& g) {
  return g.cells.empty() ? NoiseFloor{} : noise_floor(view, g.claim.metric, g.claim.dims, g.claim.label);
}

void note_noise_floors(const std::vector<Gathered>& gathered, const std::vector<NoiseFloor>& floors, StudySink& sink) {
  std::map<std::string, double> largest;
  for (std::size_t i = 0; i < gathered.size(); ++i) {
    const Claim& claim = gathered[i].claim;
    if (!floors[i].known() || !rests_on_a_floor(claim)) continue;
    double& most = largest[claim.metric + (claim.dims.empty() ? "" : " (" + claim.dims + ")")];
    most = std::max(most, floors[i].largest_ratio - 1);
  }
  if (largest.empty()) return;
  std::vector<std::string> parts;
  for (const auto& [metric, share] : largest) parts.push_back(metric + " " + percent(share));
  Finding note;
  note.role = FindingRole::kNote;
  note.title = "How much runs of one program differ on what is claimed: " + listed(parts);
  note.text = "The noise floor: the most that two runs of one and the same program differ. A smaller effect is none.";
  sink.finding(note);
}

void give_verdict(const StudyView& view, const Gathered& g, const NoiseFloor& floor, double level, StudySink& sink) {
  const Claim& claim = g.claim;
  if (g.cells.empty()) {
    sink.verdict(static_cast<std::int64_t>(claim.row), Verdict::kUntestable, why_no_cells(view, g), {});
    return;
  }
  const double strict = shared_level(g.cells.size(), level);
  std::vector<StratumVerdict> strata;
  strata.reserve(g.cells.size());
  bool refuted_once = false, refuted_for_all = false;
  const bool of_runs = claim.compare != Compare::kStudy && !claim.exact;
  const std::string doubt = of_runs ? twin_text(view, claim, level) : std::string();
  for (const Stratum& cell : g.cells) {
    strata.push_back(judge_cell(view, claim, cell, floor, level));
    if (!doubt.empty() && strata.back().verdict != Verdict::kUntestable) {
      strata.back().verdict = Verdict::kInconclusive;
      strata.back().reason = doubt;
    }
    if (strata.back().verdict != Verdict::kRefuted) continue;
    refuted_once = true;
    refuted_for_all = refuted_for_all || judge_cell(view, claim, cell, floor, strict).verdict == Verdict::kRefuted;
  }
  std::string reason = (doubt.empty() ? "" : doubt + "; ") + tally(strata) + ", judged on " + claim.metric +
                       (claim.dims.empty() ? "" : " (" + claim.dims + ")");
  // How large a known one is, the note on all claims says once; a stratum alone says itself that none is.
  if (strata.size() > 1 && rests_on_a_floor(claim) && !floor.known()) reason += "; no noise floor is known";
  if (refuted_once && !refuted_for_all) {
    reason +=
        "; among " + std::to_string(strata.size()) + " strata that many are refuted by chance, so the claim is not";
  }
  if (!g.left_out.empty() && claim.compare != Compare::kRatio) {
    const Unmatched& first = g.left_out.front();
    reason += "; left out: " + std::string(view.path(first.report)) + " (" + first.reason + ")";
    if (g.left_out.size() > 1) reason += " and " + std::to_string(g.left_out.size() - 1) + " more";
  }
  sink.verdict(static_cast<std::int64_t>(claim.row), over_all(strata, refuted_for_all), reason, strata);
}

}  // namespace assay::claims
