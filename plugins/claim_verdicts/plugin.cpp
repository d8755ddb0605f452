// Judges the [[claim]]s of a question by intervals only (statistics.md, Verdicts).
#include "assay/sdk.hpp"
#include "blocks_plot.hpp"
#include "claim.hpp"
#include "compare.hpp"
#include "recorded.hpp"

namespace assay::claims {

class ClaimVerdicts {
 public:
  static constexpr std::string_view kSummary = "Judges every [[claim]] of the question: a verdict with its interval.";
  static constexpr Str kConsumes[] = {"?fingerprint", "?clock.sm_mhz", "?clock.memory_mhz",
                                      "?energy.joule_per_iteration"};
  static constexpr MetricSpec kProduces[] = {
      {"best.in_set", "1", Polarity::kNeutral,
       "1 for a value of the label that cannot be told from the best, 0 for one that is surely worse by more than the "
       "margin; dims: claim, the label, and those of the stratum.",
       "whether it may be the best"},
      {"best.ratio", "1", Polarity::kNeutral, "Ratio of a value to the leader; dims as best.in_set.",
       "ratio to the leader"},
      {"best.ratio_low", "1", Polarity::kNeutral,
       "Lower end of the interval of that ratio, which holds for all values together.", "least ratio to the leader"},
      {"best.ratio_high", "1", Polarity::kNeutral,
       "Upper end of the interval of that ratio, which holds for all values together.", "largest ratio to the leader"},
      {kClaimedRatio, "1", Polarity::kNeutral,
       "Effect that claims about a ratio are judged on; dims: metric and its dims, the label under test with both "
       "values, and the labels held fixed, or none of them for the mean over pairs.",
       "claimed ratio"},
      {kClaimedLow, "1", Polarity::kNeutral, "Lower end of the interval of that effect; dims as claim.ratio.",
       "least claimed ratio"},
      {kClaimedHigh, "1", Polarity::kNeutral, "Upper end of the interval of that effect; dims as claim.ratio.",
       "largest claimed ratio"},
      {kClaimedLevel, "ratio", Polarity::kNeutral, "Confidence level of that interval; dims as claim.ratio.",
       "level of the claimed interval"},
  };
  static constexpr OptionSpec kClaimKeys[] = {
      {"metric", OptionType::kMetric, "", "Metric that the claim is judged on."},
      {"dims", OptionType::kText, "", "Dims of the metric, e.g. 'direction=h2d'."},
      {"compare", OptionType::kText, "level",
       "What is compared: the level of each run, the ratio of matched pairs, the step between two levels of an axis, "
       "a fact about the whole study, or which values of a label are the best.",
       "level|ratio|step|study|best"},
      {"between", OptionType::kNumberList, "",
       "Claimed range [low, high] of the level, ratio or step; inf for an open end."},
      {"where", OptionType::kConditionList, "",
       "Runs it is about: 'label=value' or 'label=a|b'; all conditions must hold."},
      {"label", OptionType::kLabel, "",
       "ratio: the label that differs within a pair; step: the axis; best: the label whose values race."},
      option::number("margin", "0.01", "best: part by which values may differ and count as equally good.").within(0, 1),
      {"base", OptionType::kText, "",
       "ratio: value of the label in the denominator; step: the level before the step; empty: the one that sorts "
       "first."},
      {"treated", OptionType::kTextList, "",
       "ratio: values in the numerator, each judged; none: all others. step: the level after the step; none: the "
       "next."},
      {"work", OptionType::kMetric, "",
       "ratio: metric of the work that a run did; a pair whose runs differ in it is untestable."},
      {"per", OptionType::kLabelList, "", "step: labels whose values are judged separately."},
      {"block", OptionType::kLabelList, "", "step: labels that shift the level and are fitted as blocks."},
      {"over", OptionType::kText, "each",
       "ratio: whether the claim is about each pair, the geometric mean over all pairs, or most of them. The last two "
       "need 6 pairs with base runs of their own.",
       "each|mean|most"},
      {"exact", OptionType::kBool, "false",
       "study, level: the metric is a count or computed number, whose interval is the value itself."},
      {"spread", OptionType::kMetric, "", "study: metric of the standard error of the log of the fact, equal dims."},
      {"degrees", OptionType::kMetric, "", "study: metric of the degrees of freedom of that error, equal dims."},
      {"predicted", OptionType::kNumber, "0",
       "ratio: what 'assay whatif' predicted, inside 'between'. What the runs say goes into predictions.jsonl beside "
       "the recordings, which 'assay history' shows."},
      {"change", OptionType::kTextList, "", "ratio: the options of 'assay whatif' that 'predicted' answers."},
  };

  explicit ClaimVerdicts(const Options&) {}

  static void check_claim(const Options& keys) { check(keys); }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<ClaimRuns> gathered;
    std::size_t tested = 0;
    for (std::size_t row = 0; row < study.claims->rows; ++row) {
      gathered.push_back(gather(view, Claim(*study.claims->keys[row], row, study.claims->id[row])));
      // A number that cannot err by chance uses no part of the error level.
      if (gathered.back().measured() > 0 && !gathered.back().claim.exact) ++tested;
    }
    const double level = shared_level(tested, view.level());
    std::vector<NoiseFloor> floors;
    for (const ClaimRuns& g : gathered) floors.push_back(floor_of(view, g));
    const RecordedNoise noise(view, gathered, floors);
    ClaimedEffects effects;
    for (std::size_t i = 0; i < gathered.size(); ++i)
      emit_verdict(view, gathered[i], floors[i], noise, level, effects, sink);
    effects.emit(sink);
    plot_blocks(view, gathered, sink);
    note_twins(view, gathered, floors, noise, level, sink);
    note_noise_floors(gathered, floors, sink);
  }
};

ASSAY_PLUGIN("claim_verdicts", "1.0.0", ClaimVerdicts);

}  // namespace assay::claims
