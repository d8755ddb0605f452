// What changed in a step between two sides of runs: by how much, why, and whether it is real.
#include <algorithm>
#include <cmath>

#include "algo/step_items.hpp"
#include "answer.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "budgets.hpp"
#include "comparison.hpp"
#include "runs.hpp"
#include "tables.hpp"

namespace assay::difference {
namespace {

constexpr MetricSpec kMetrics[] = {
    {"step_difference.step_ns", "ns", Polarity::kLowerIsBetter,
     "Mean step after minus mean step before, rounded down to whole ns; dims: pair.", "change of the mean step"},
    {"step_difference.step_ratio", "1", Polarity::kLowerIsBetter,
     "Geometric mean of the runs' median steps after over that before; dims: pair.", "change of the median step"},
    {"step_difference.account_ns", "ns", Polarity::kNeutral,
     "Part of step_difference.step_ns; the parts and `rounding` sum to it; dims: account, pair.",
     "part of the change of the mean step"}};

/// The effect on a step.
Effect step_effect(const Comparison& c) {
  Effect effect;
  effect.metric = step_items::kStepTime;
  effect.value = c.ratio;
  effect.level = 1 - c.step_error;
  effect.n = std::ssize(c.before.runs) + std::ssize(c.after.runs);
  if (c.step.half) {
    effect.scope = Scope::kBetweenRun;
    effect.lo = std::exp(c.step.difference - *c.step.half);
    effect.hi = std::exp(c.step.difference + *c.step.half);
  }
  return effect;
}

void emit_facts(const Comparison& c, StudySink& sink) {
  sink.fact("step_difference.step_ns", static_cast<double>(c.accounts.step.difference), {{"pair", c.name}});
  if (std::isfinite(c.ratio)) sink.fact("step_difference.step_ratio", c.ratio, {{"pair", c.name}});
  const auto add = [&](std::string_view account, std::int64_t ns) {
    sink.fact("step_difference.account_ns", static_cast<double>(ns), {{"account", account}, {"pair", c.name}});
  };
  for (std::size_t i = 0; i < kAccounts; ++i) add(account_name(static_cast<DifferenceTerm>(i)), c.accounts.lines[i]);
  add("rounding", c.accounts.rounding);
}

void emit_findings(const Comparison& c, bool named, StudySink& sink) {
  assay::Finding finding;
  finding.role = FindingRole::kAnswer;
  finding.title = (named ? c.name + ": " : "") + answer(c);
  finding.text = "The mean step changed by " + signed_time(c.accounts.step.difference) + ":";
  for (std::size_t i = 0; i < kAccounts; ++i) {
    if (c.accounts.lines[i] != 0)
      finding.text += filled(
          " {} {},", {std::string(account_name(static_cast<DifferenceTerm>(i))), signed_time(c.accounts.lines[i])});
  }
  finding.text += " rounding " + signed_time(c.accounts.rounding) + ".";
  finding.labels = {{"pair", c.name}};
  if (c.comparable && std::isfinite(c.ratio)) {
    finding.effect = step_effect(c);
    finding.method = "t interval of the logarithms of the runs' median steps" + c.order_text;
  }
  sink.finding(finding);
  const auto note = [&](const char* title, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      sink.finding(assay::Finding{FindingRole::kNote, title, text, {}, finding.labels, {}});
  };
  note("Caveat", cautions(c));
  note("To confirm it", lacks(c));
}

}  // namespace

class StepDifference {
 public:
  static constexpr std::string_view kSummary =
      "Compares the steps of two sides of runs: accounts that sum to the difference, what changed, why, and whether it "
      "is real.";
  static constexpr OptionSpec kOptions[] = {
      {"label", OptionType::kLabel, "side", "Label whose values are the sides."},
      {"base", OptionType::kText, "", "Its value before; without it the first."},
      {"treated", OptionType::kTextList, "", "Its values after; without them all others."},
      {"plain", OptionType::kText, "plain",
       "Id of the [[sheet]] with times of the program without a profiler: a column 'decode_ms' is of the range "
       "'decode'."}};
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr Str kConsumes[] = {step_items::kStepTime};
  static constexpr OptionSpec kClaimKeys[] = {
      {"budget", OptionType::kText, "",
       "What a part of the step may take more than before: 'step=+2%', 'kernels=+0.5ms', 'copies=0', 'communication=0' "
       "or 'idle=0'. Without it a step that is confirmed to be longer refutes the claim, and one that is at most 2 % "
       "longer supports it."}};

  static void check_claim(const Options& keys) { static_cast<void>(read_budget(keys.text("budget"))); }

  explicit StepDifference(const Options& options)
      : label_(options.label("label")),
        base_(options.text("base")),
        treated_(options.strings("treated")),
        plain_(options.text("plain")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    SidePairs sides = pairs_of(view, label_pairs(view, label_, base_, treated_));
    if (sides.pairs.empty()) {
      return sink.skip(assay::kNone,
                       sides.empty.empty()
                           ? "no two sides have runs that agree in all other labels"
                           : "'" + sides.empty.front() + "' has no profile with steps, so there is nothing to compare");
    }
    std::vector<Comparison> comparisons;
    for (SidePair& pair : sides.pairs) {
      Comparison& c = comparisons.emplace_back(
          compare(std::move(pair.before), std::move(pair.after), sides.pairs.size(), std::move(pair.pace)));
      c.name = pair.name;
      c.cell = pair.cell;
      add_plain_times(view, plain_, c.before, c.after, c.phases);
      add_plain_steps(view, plain_, c);
    }
    for (const Comparison& c : comparisons) {
      if (c.comparable) emit_facts(c, sink);
      emit_findings(c, comparisons.size() > 1, sink);
    }
    judge_claims(study, comparisons, sink);
    emit_tables(comparisons, sides.unpaired, sink);
  }

 private:
  static void judge_claims(const Study& study, const std::vector<Comparison>& comparisons, StudySink& sink) {
    for (std::size_t claim = 0; claim < study.claims->rows; ++claim) {
      const Budget budget = read_budget(study.claims->keys[claim]->text("budget"));
      std::vector<StratumVerdict> strata;
      Verdict verdict = Verdict::kSupported;
      std::string reason;
      for (const Comparison& c : comparisons) {
        const BudgetAnswer answer = judge_budget(c, budget, study.claims->rows);
        const bool worse = answer.verdict == Verdict::kRefuted || verdict == Verdict::kSupported;
        if (worse && answer.verdict != Verdict::kSupported) verdict = answer.verdict;
        reason += (reason.empty() ? "" : "; ") + (comparisons.size() > 1 ? c.name + ": " : "") + answer.headline;
        StratumVerdict& stratum = strata.emplace_back();
        stratum.verdict = answer.verdict;
        stratum.reason = answer.sentence;
        stratum.labels = {{"pair", c.name}};
        if (std::isnan(answer.change)) continue;
        stratum.effect = step_effect(c);
        stratum.effect->metric = "step_difference.step_ns";
        stratum.effect->kind = EffectKind::kDifference;
        stratum.effect->value = answer.change;
        stratum.effect->lo = answer.low;
        stratum.effect->hi = answer.high;
      }
      sink.verdict(static_cast<std::int64_t>(claim), verdict, reason, strata);
    }
  }

  std::string label_, base_;
  std::vector<std::string> treated_;
  std::string plain_;
};

ASSAY_PLUGIN("step_difference", "1.0.0", StepDifference);

}  // namespace assay::difference
