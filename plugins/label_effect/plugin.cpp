// What one label changes, in any metric: every value of it against a base, in runs that are equal in all other labels.
#include "assay/pair_outputs.hpp"
#include "assay/sdk.hpp"

namespace assay::label_effect {

class LabelEffect {
 public:
  static constexpr std::string_view kSummary =
      "Compares the values of any label with a base value, in any metrics, pair by pair.";
  static constexpr OptionSpec kOptions[] = {
      {"label", OptionType::kLabel, "batch", "Label under test; everything else is held fixed."},
      {"base", OptionType::kText, "", "Value in the denominator; empty: the one that sorts first."},
      {"treated", OptionType::kTextList, "", "Values in the numerator, in this order; none: all others."},
      {"metrics", OptionType::kMetricList, "iteration.period_ns, iteration.gpu_busy_ns",
       "Metrics that are compared, with every set of dims that the profiles have."},
      option::number("equal_within", "0",
                     "Two values of the label are equal in a metric when the whole interval of the ratio lies within 1 "
                     "+ this, either way; 0: equality is not asked for.")
          .within(0, 10),
  };
  static constexpr MetricSpec kProduces[] = {
      {"label_effect.ratio", "ratio", Polarity::kNeutral,
       "Median of a metric over the runs with one value of the label over that with the base value; dims: metric and "
       "its dims, value, and the labels held fixed.",
       "one value of the label over the base"},
      {"label_effect.pairs", "1", Polarity::kNeutral,
       "Pairs by outcome, all comparisons sharing the error; dims: metric and its dims, value, "
       "outcome=differs|equivalent|inconclusive.",
       "pairs by outcome"},
  };
  static constexpr Str kConsumes[] = {"?fingerprint", "?iteration.count"};

  explicit LabelEffect(const Options& options)
      : label_(options.label("label")),
        base_(options.text("base")),
        treated_(options.strings("treated")),
        metrics_(options.strings("metrics")),
        equal_within_(options.number("equal_within")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const PairStudy pairs =
        compare_pairs(view, {"label_effect", label_pairs(view, label_, base_, treated_), measures_of(view, metrics_),
                             equal_within_ > 0 ? std::optional(equal_within_) : std::nullopt});
    emit_left_out(pairs, sink);
    if (pairs.made().empty()) {
      return sink.skip(kNone, "no two runs with a metric in common differ in the label " + label_ + " alone");
    }
    emit_pair_facts(pairs, "label_effect.ratio", "value", sink);
    for (std::size_t p = 0; p < pairs.pairs.size(); ++p) answer(view, pairs, p, sink);
    for (const PairEffect* effect : differing_first(pairs)) sink.finding(pair_evidence(pairs, *effect));
    const std::string title = "Runs by " + label_ + " against " + label_ + "=" + pairs.pairs.front().base;
    sink.plot(*pair_plot(pairs, {"pairs", title, label_ + " / " + pairs.pairs.front().base,
                                 "Right of 1, the value of the label gives a larger number than the base."}));
    sink.table(effects_table(view, pairs));
    sink.table(pair_table(pairs, "pairs", title, label_));
  }

 private:
  /// The answers and the counts of one value of the label.
  static void answer(const StudyView& view, const PairStudy& pairs, std::size_t pair, StudySink& sink) {
    for (std::size_t m = 0; m < pairs.measures.size(); ++m) {
      const PairTally tally = pairs.tally(m, pair);
      if (tally.made == 0) continue;
      for (const auto& [outcome, count] :
           {std::pair(PairOutcome::kDiffers, tally.differs), std::pair(PairOutcome::kEquivalent, tally.equivalent),
            std::pair(PairOutcome::kInconclusive, tally.open())}) {
        LabelTexts dims = measure_dims(pairs.measures[m]);
        dims.emplace_back("value", pairs.pairs[pair].treated);
        dims.emplace_back("outcome", outcome_word(outcome));
        sink.fact("label_effect.pairs", static_cast<double>(count), dims_of(dims));
      }
      sink.finding(*pair_answer(view, pairs, m, pair, pairs.pairs[pair].over()));
    }
  }

  std::string label_, base_;
  std::vector<std::string> treated_, metrics_;
  double equal_within_;
};

ASSAY_PLUGIN("label_effect", "1.0.0", LabelEffect);

}  // namespace assay::label_effect
