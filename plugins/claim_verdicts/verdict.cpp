#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "algo/missing_ranks.hpp"
#include "assay/detail/run_order.hpp"
#include "assay/words.hpp"
#include "best.hpp"
#include "compare.hpp"
#include "need.hpp"
#include "over_pairs.hpp"
#include "recorded.hpp"
#include "step.hpp"
#include "study_fact.hpp"

namespace assay::claims {
namespace {

StratumVerdict untestable(const ClaimCell& cell, std::string reason) {
  StratumVerdict out;
  out.labels = cell.labels;
  out.reason = std::move(reason);
  return out;
}

/// Why a cell is untestable: a side lacks the metric, or the sides did different work.
std::string unmeasured(const Claim& claim, const ClaimCell& cell) {
  if (!cell.unlike.empty()) return cell.unlike;
  const bool whole = claim.compare != Compare::kRatio || (cell.base.empty() && cell.treated.empty());
  return filled("no run of it{} has {}", {whole               ? ""
                                          : cell.base.empty() ? " at the base"
                                                              : " at the treated value",
                                          claim.metric});
}

/// Why what holds of all ranks cannot be said of a cell: a rank of a job is missing. Only a metric of the whole job,
/// which one of its reports has, holds of all; empty: none is missing, or the metric is of each rank.
std::string missing_rank(const StudyView& view, const Claim& claim, const ClaimCell& cell) {
  for (const Runs* side : {&cell.base, &cell.treated}) {
    for (const std::size_t report : *side) {
      std::size_t ranks = 0, with = 0;
      for (std::size_t r = 0; r < view.report_count(); ++r) {
        if (view.job(r) != view.job(report)) continue;
        ++ranks;
        with += view.value(static_cast<Row>(r), claim.metric, claim.dims) ? 1U : 0U;
      }
      if (ranks < 2 || with > 1) continue;
      if (std::string missing = missing_ranks_text(view, report); !missing.empty())
        return missing + ", and without it nothing is decided of all ranks";
    }
  }
  return {};
}

/// Judged by blocks of a recording rather than runs.
bool is_judged_by_blocks(const StudyView& view, const Claim& claim, const ClaimCell& cell) {
  return claim.compare != Compare::kStudy && !claim.exact && is_recorded(view, cell);
}

/// The effect of a cell of runs without blocks, by the comparison of the claim; empty if it cannot be made.
std::optional<Contrast> effect_of(const StudyView& view, const Claim& claim, const ClaimCell& cell,
                                  const NoiseFloor& floor, double level) {
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
    case Compare::kBest:  // emit_best
      break;
    case Compare::kStudy:
      return study_contrast(view, claim, cell, level);
  }
  return std::nullopt;
}

std::string why_no_effect(const StudyView& view, const Claim& claim, const ClaimCell& cell) {
  if (claim.compare == Compare::kStep)
    return is_recorded(view, cell)
               ? "no block has runs on both sides of the step"
               : "too few runs on both sides of the step to distinguish it from the spread between runs";
  const Lengths lengths = lengths_of(view, cell.base, cell.treated, claim.metric, claim.dims);
  if (!lengths.comparable()) return claim.metric + " is not compared: " + lengths.refused;
  if (claim.compare == Compare::kLevel && lengths.per_iteration) return why_no_length(claim.metric);
  const auto positive = [&](const Runs& side) {
    return std::ranges::all_of(
        side, [&](std::size_t r) { return view.value(static_cast<Row>(r), claim.metric, claim.dims).value_or(0) > 0; });
  };
  if (positive(cell.base) && positive(cell.treated) && is_recorded(view, cell))
    return "no block has the runs that the claim compares";
  return "a value of " + claim.metric + " is not positive, so there is no ratio";
}

StratumVerdict judge_cell(const StudyView& view, const Claim& claim, const ClaimCell& cell, const NoiseFloor& floor,
                          const RecordedNoise& noise, double level) {
  if (claim.compare == Compare::kStep) {
    if (std::string why = why_no_step(view, claim, cell); !why.empty()) return untestable(cell, std::move(why));
  }
  std::optional<Contrast> contrast;
  std::optional<RecordedContrast> recorded;
  if (!is_judged_by_blocks(view, claim, cell)) {
    contrast = effect_of(view, claim, cell, floor, level);
  } else if ((recorded = recorded_contrast(view, claim, cell, floor, noise, level))) {
    if (judge(recorded->contrast.effect, claim.low, claim.high) == Verdict::kInconclusive) recorded->hide_early();
    contrast = recorded->contrast;
  }
  if (!contrast) return untestable(cell, why_no_effect(view, claim, cell));
  StratumVerdict out;
  out.labels = cell.labels;
  out.effect = contrast->effect;
  out.method = contrast->method;
  out.evidence = contrast->evidence;
  out.verdict = judge(contrast->effect, claim.low, claim.high);
  if (recorded) out.reason = recorded->why_open;
  if (out.verdict != Verdict::kSupported)
    recorded ? set_blocks_needed(claim, *recorded, out) : set_runs_needed(claim, *contrast, floor, out);
  if (out.verdict == Verdict::kSupported) {
    out.reason = "inside the claimed range";
  } else if (out.verdict == Verdict::kRefuted) {
    out.reason = "outside the claimed range";
  } else if (out.reason.empty()) {
    out.reason = contrast->effect.scope != Scope::kWithinRun ? "the interval contains an end of the claimed range"
                 : claim.compare == Compare::kStudy          ? "the uncertainty of the value is unknown"
                                                             : why_not_confirmed(claim, floor, out);
    if (recorded && !recorded->lasting.empty()) out.reason += "; " + recorded->lasting;
  }
  if (const std::string order = order_clause(contrast->basis.widening); !order.empty())
    out.reason += "; recorded " + order;
  return out;
}

/// Whether strata that contradict refute a claim about all of them. Among k strata a single one contradicts by chance k
/// times as often, so it must contradict at error / k. Of three and more, half of the error is for this, the other half
/// for half of them (m) contradicting together, each at error * m / k: however they depend on each other, that happens
/// by chance with at most this error (Rueger 1978).
class JointRefutation {
 public:
  JointRefutation(std::size_t strata, double level) : half_((strata + 1) / 2) {
    const double error = 1 - level, count = static_cast<double>(strata), parts = strata < 3 ? 1 : 2;
    alone_ = 1 - error / parts / count;
    together_ = 1 - error / parts * static_cast<double>(half_) / count;
  }
  /// `verdict_at`: of one stratum, at a level.
  template <class VerdictAt>
  void add(const VerdictAt& verdict_at) {
    if (verdict_at(together_) != Verdict::kRefuted) return;
    ++contradicting_;
    alone_refutes_ = alone_refutes_ || verdict_at(alone_) == Verdict::kRefuted;
  }
  [[nodiscard]] bool refutes() const { return alone_refutes_ || contradicting_ >= half_; }

 private:
  std::size_t half_, contradicting_ = 0;
  double alone_ = 0, together_ = 0;
  bool alone_refutes_ = false;
};

/// A claim covers all its strata: one that contradicts refutes it, one that is open leaves it open.
Verdict over_all(const std::vector<StratumVerdict>& strata, bool refuted_for_all) {
  const auto any = [&](Verdict verdict) {
    return std::ranges::any_of(strata, [&](const StratumVerdict& s) { return s.verdict == verdict; });
  };
  if (refuted_for_all) return Verdict::kRefuted;
  if (any(Verdict::kRefuted) || any(Verdict::kInconclusive)) return Verdict::kInconclusive;
  return any(Verdict::kSupported) ? Verdict::kSupported : Verdict::kUntestable;
}

/// Whether one run per side was compared, for which why_not_confirmed is the reason.
bool is_unconfirmed(const StratumVerdict& stratum) {
  return stratum.verdict == Verdict::kInconclusive && stratum.effect && stratum.effect->scope == Scope::kWithinRun;
}

/// The basis of a verdict, for readers, who call strata pairs or settings. For a single stratum its own reason, which
/// is more informative than "one of one"; for one run per side, with the size.
std::string tally(const StudyView& view, const Claim& claim, const std::vector<StratumVerdict>& strata) {
  if (strata.size() == 1) {
    const StratumVerdict& only = strata.front();
    const auto row = view.metric(claim.metric);
    const bool sized = claim.compare == Compare::kRatio && is_unconfirmed(only);
    if (!sized || !row) return only.reason;
    return change_text(only.effect->value, view.study().metrics->unit[*row]) + " in this pair; " + only.reason;
  }
  std::array<std::size_t, 4> count{};
  for (const StratumVerdict& s : strata) ++count[static_cast<std::size_t>(s.verdict)];
  const std::string all = counted(strata.size(), claim.compare == Compare::kRatio ? "pair" : "setting");
  std::string text;
  for (std::size_t v = 0; v < count.size(); ++v) {
    const std::string name(verdict_name(static_cast<Verdict>(v)));
    if (count[v] == strata.size()) return name + " in all " + all;
    if (count[v] > 0) text += filled("{}{} in {}", {text.empty() ? "" : ", ", name, std::to_string(count[v])});
  }
  const std::size_t supported = count[static_cast<std::size_t>(Verdict::kSupported)];
  const bool rest_untestable = supported + count[static_cast<std::size_t>(Verdict::kUntestable)] == strata.size();
  if (supported > 0 && rest_untestable)
    return filled("supported where measured ({} of {})", {std::to_string(supported), all});
  return text + " of " + all;
}

/// Objection of the A/A pair of a recording to its verdicts; empty: none.
std::string twin_text(const StudyView& view, const Claim& claim, const NoiseFloor& floor, const RecordedNoise& noise,
                      double level) {
  const auto twins = twin_contrast(view, claim, floor, noise, level);
  if (!twins || !differs(twins->contrast)) return {};
  return "the A/A pair (the same program under two names) differs by " + percent(twins->contrast.effect.value - 1) +
         ", so no difference can be trusted";
}

/// For several runs without a partner: the difference that separates the first of them, or why one is not believed.
std::string what_parts_them(const StudyView& view, const std::vector<UnmatchedReport>& left_out) {
  for (const UnmatchedReport& u : left_out) {
    if (!u.apart.empty()) return ": " + u.apart;
  }
  for (const UnmatchedReport& u : left_out) {
    if (!view.believed(u.report)) return filled(": {}: {}", {view.path(u.report), u.reason});
  }
  return {};
}

std::string why_no_cells(const StudyView& view, const ClaimRuns& g) {
  for (const ClaimCell& cell : g.cells) {
    if (!cell.unlike.empty()) return cell.unlike;
  }
  const bool pairs = g.claim.compare == Compare::kRatio;
  if (!g.left_out.empty() && (!pairs || !g.claim.where.empty() || g.left_out.size() == 1)) {
    const std::string rest = g.left_out.size() == 1 ? "" : ", and " + std::to_string(g.left_out.size() - 1) + " more";
    return filled("{}: {}{}", {std::string(view.path(g.left_out.front().report)), g.left_out.front().reason, rest});
  }
  if (!g.left_out.empty())
    return filled("no two runs differ in {} alone{}", {g.claim.label, what_parts_them(view, g.left_out)});
  if (g.claim.compare == Compare::kStudy) return "no fact of the study is " + g.claim.metric + " with the claim's dims";
  std::string missing;
  for (const std::size_t r : view.participants()) {
    if (missing.empty()) missing = missing_ranks_text(view, r);
  }
  return filled("no run with the claim's labels has {}{}{}", {g.claim.metric, missing.empty() ? "" : ": ", missing});
}

/// Numbers that cannot err by chance have no noise floor, nor have effects that no pair of runs gives.
bool rests_on_a_floor(const Claim& claim) {
  return !claim.exact && (claim.compare == Compare::kLevel || claim.compare == Compare::kRatio);
}

}  // namespace

NoiseFloor floor_of(const StudyView& view, const ClaimRuns& g) {
  return g.measured() == 0 ? NoiseFloor{} : noise_floor(view, g.claim.metric, g.claim.dims, g.claim.label);
}

void note_noise_floors(const std::vector<ClaimRuns>& gathered, const std::vector<NoiseFloor>& floors, StudySink& sink) {
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
  note.title = "How much repeat runs differ in the claimed metrics: " + listed(parts);
  note.text = "The noise floor is the largest difference between repeat runs; smaller effects are ignored.";
  sink.finding(note);
}

namespace {

/// "1.0021 [0.9873, 1.0171]".
std::string ratio_text(const Effect& ratio) {
  if (!interval_tells(ratio.lo, ratio.hi)) return printed("%.4f, no interval yet", ratio.value);
  return printed("%.4f [%.4f, %.4f]", ratio.value, ratio.lo, ratio.hi);
}

}  // namespace

void note_twins(const StudyView& view, const std::vector<ClaimRuns>& gathered, const std::vector<NoiseFloor>& floors,
                const RecordedNoise& noise, double level, StudySink& sink) {
  std::set<std::pair<std::string, std::string>> said;
  for (std::size_t i = 0; i < gathered.size(); ++i) {
    const ClaimRuns& g = gathered[i];
    const Claim& claim = g.claim;
    const bool recorded =
        std::ranges::any_of(g.cells, [&](const ClaimCell& c) { return is_judged_by_blocks(view, claim, c); });
    if (!recorded || !said.emplace(claim.metric, claim.dims).second) continue;
    auto twins = twin_contrast(view, claim, floors[i], noise, level);
    if (!twins) continue;
    if (!differs(twins->contrast)) twins->hide_early();
    const Effect& effect = twins->contrast.effect;
    Finding note;
    note.role = FindingRole::kNote;
    note.title = filled("The A/A pair (the same program under two names), on {}{}: {}",
                        {claim.metric, claim.dims.empty() ? "" : " (" + claim.dims + ")", ratio_text(effect)});
    note.text =
        "It is one pair of one cell: a difference in it blocks every verdict on this metric; no difference is only "
        "weak evidence that measurements of the same program agree." +
        (twins->why_open.empty() ? "" : " Its interval: " + twins->why_open + ".");
    note.effect = effect;
    note.method = twins->contrast.method;
    note.evidence = twins->contrast.evidence;
    sink.finding(note);
  }
}

void emit_verdict(const StudyView& view, const ClaimRuns& g, const NoiseFloor& floor, const RecordedNoise& noise,
                  double level, ClaimedEffects& effects, StudySink& sink) {
  const Claim& claim = g.claim;
  if (g.measured() == 0) {
    sink.verdict(static_cast<std::int64_t>(claim.row), Verdict::kUntestable, why_no_cells(view, g), {});
    return;
  }
  if (claim.compare == Compare::kBest)
    return emit_best(view, g, floor, 1 - level, twin_text(view, claim, floor, noise, level), sink);
  JointRefutation refutation(g.measured(), level);
  std::size_t refuted = 0;
  std::vector<StratumVerdict> strata;
  strata.reserve(g.cells.size());
  const bool of_runs = claim.compare != Compare::kStudy && !claim.exact;
  const std::string doubt = of_runs ? twin_text(view, claim, floor, noise, level) : std::string();
  for (const ClaimCell& cell : g.cells) {
    std::string missing = missing_rank(view, claim, cell);
    strata.push_back(!missing.empty()      ? untestable(cell, std::move(missing))
                     : g.is_measured(cell) ? judge_cell(view, claim, cell, floor, noise, level)
                                           : untestable(cell, unmeasured(claim, cell)));
    if (!doubt.empty() && strata.back().verdict != Verdict::kUntestable) {
      strata.back().verdict = Verdict::kInconclusive;
      strata.back().reason = doubt;
      strata.back().need.unit = NeedUnit::kNothing;
      strata.back().in_vain = "the A/A pair differs: find out why before recording more";
    }
    if (strata.back().verdict != Verdict::kRefuted) continue;
    ++refuted;
    refutation.add([&](double at) { return judge_cell(view, claim, cell, floor, noise, at).verdict; });
  }
  if (claim.over != Over::kEach) {
    OverPairs joint = judge_over_pairs(view, g, strata, level);
    if (!doubt.empty() && joint.verdict != Verdict::kUntestable) joint.verdict = Verdict::kInconclusive;
    if (joint.finding) sink.finding(*joint.finding);
    effects.add(claim, strata, joint.finding, !doubt.empty());
    sink.verdict(static_cast<std::int64_t>(claim.row), joint.verdict,
                 (doubt.empty() ? "" : doubt + "; ") + joint.reason, strata);
    return;
  }
  effects.add(claim, strata, std::nullopt, !doubt.empty());
  std::string reason = (doubt.empty() ? "" : doubt + "; ") + tally(view, claim, strata);
  // The note on all claims states the size of a known floor once; a single stratum itself states that none is known.
  if (strata.size() > 1 && rests_on_a_floor(claim) && !floor.known()) reason += "; run-to-run noise is unknown";
  if (refuted > 0 && !refutation.refutes()) {
    reason += filled("; {} of {} may differ by chance, so the claim stays inconclusive",
                     {refuted == 1 ? "one" : std::to_string(refuted), std::to_string(strata.size())});
  }
  if (!g.left_out.empty() && claim.compare != Compare::kRatio) {
    const UnmatchedReport& first = g.left_out.front();
    reason += filled("; left out: {} ({})", {view.path(first.report), first.reason});
    if (g.left_out.size() > 1) reason += " and " + std::to_string(g.left_out.size() - 1) + " more";
  }
  sink.verdict(static_cast<std::int64_t>(claim.row), over_all(strata, refutation.refutes()), reason, strata);
}

}  // namespace assay::claims
