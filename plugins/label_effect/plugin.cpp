// The effect of one label on any metric: every value against a base, in runs that agree in all other labels.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>

#include "assay/algo/dims.hpp"
#include "assay/sdk.hpp"

namespace assay::label_effect {
namespace {

/// Of the quantiles of a metric the median first and the largest value last: what an answer leads with.
std::vector<Measure> median_first(std::vector<Measure> measures) {
  const auto rank = [](const Measure& measure) {
    const auto quantile = dim_value(measure.dims, "quantile");
    return !quantile || *quantile == "p50" ? 0 : *quantile == "max" ? 2 : 1;
  };
  for (auto begin = measures.begin(), end = begin; begin != measures.end(); begin = end) {
    end = std::find_if(begin, measures.end(), [&](const Measure& other) { return other.metric != begin->metric; });
    std::ranges::stable_sort(begin, end, {}, rank);
  }
  return measures;
}

}  // namespace

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
      {"why", OptionType::kBool, "false",
       "An answer of its own names the idle causes (idle.time_ns) and ranges (range.host_ns) that change most."},
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
  static constexpr Str kConsumes[] = {"?fingerprint", "?iteration.count", "?claim.ratio"};

  explicit LabelEffect(const Options& options)
      : label_(options.label("label")),
        base_(options.text("base")),
        treated_(options.strings("treated")),
        metrics_(options.strings("metrics")),
        why_(options.boolean("why") ? std::vector<std::string>{"idle.time_ns", "range.host_ns"}
                                    : std::vector<std::string>{}),
        equal_within_(options.number("equal_within")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const PairStudy pairs = compare_pairs(
        view, {"label_effect", label_pairs(view, label_, base_, treated_), median_first(measures_of(view, metrics_)),
               equal_within_ > 0 ? std::optional(equal_within_) : std::nullopt});
    emit_left_out(pairs, sink);
    if (pairs.made().empty()) {
      return sink.skip(kNone, "no two runs with a metric in common differ in the label " + label_ + " alone");
    }
    emit_pair_facts(pairs, "label_effect.ratio", "value", sink);
    for (std::size_t p = 0; p < pairs.pairs.size(); ++p) answer(view, pairs, p, sink);
    if (!why_.empty()) emit_reasons(view, pairs.pairs, sink);
    const std::string& base = pairs.pairs.front().base;
    emit_pairs(view, pairs,
               {"pairs", filled("Runs by {} against {}={}", {label_, label_, base}), label_ + " / " + base,
                "Right of 1, the value of the label gives a larger number than the base."},
               label_, sink);
  }

 private:
  /// "graph vs eager", "batch 8 vs 1": a number needs its label.
  static std::string subject_of(const LabelPair& pair) {
    const bool number = std::isdigit(static_cast<unsigned char>(pair.treated.front())) != 0;
    return filled("{}{} vs {}", {number ? pair.label + " " : std::string(), pair.treated, pair.base});
  }

  /// The answers and counts for one value of the label.
  static void answer(const StudyView& view, const PairStudy& pairs, std::size_t pair, StudySink& sink) {
    for (std::size_t m = 0; m < pairs.measures.size(); ++m) {
      const PairTally tally = pairs.tally(m, pair);
      if (tally.made == 0) continue;
      LabelTexts dims = measure_dims(pairs.measures[m]);
      dims.emplace_back("value", pairs.pairs[pair].treated);
      emit_outcomes(tally, "label_effect.pairs", dims, sink);
      sink.finding(*pair_answer(view, pairs, m, pair, subject_of(pairs.pairs[pair])));
    }
  }

  struct Part {
    std::string name;
    double before = 0, after = 0;  ///< summed over the pairs

    [[nodiscard]] double change() const { return std::abs(after - before); }
  };

  /// "host 684 ms -> 34.5 ms, launch 274 ms -> 67 ms": the parts of a metric with the largest changes.
  static std::string changes_text(std::vector<Part> parts) {
    constexpr std::size_t kMax = 3;
    constexpr double kWorthSaying = 0.02;  // relative to the largest change
    std::ranges::stable_sort(parts, std::greater(), &Part::change);
    std::string text;
    for (std::size_t i = 0; i < std::min(kMax, parts.size()); ++i) {
      const Part& part = parts[i];
      if (part.change() == 0 || part.change() < kWorthSaying * parts.front().change()) break;
      text += filled("{}{} {} -> {}",
                     {text.empty() ? "" : ", ", part.name, quantity(part.before, "ns"), quantity(part.after, "ns")});
    }
    return text;
  }

  /// One answer per value of the label: the change of its time by part, for the metrics of `why`.
  void emit_reasons(const StudyView& view, const std::vector<LabelPair>& compared, StudySink& sink) const {
    std::vector<Measure> measures = measures_of(view, why_);
    for (Measure& measure : measures) measure.decides = false;
    const PairStudy pairs = compare_pairs(view, {"label_effect_why", compared, measures, std::nullopt});
    for (std::size_t p = 0; p < pairs.pairs.size(); ++p) {
      std::vector<std::string> reasons;
      for (const std::string& metric : why_) {
        std::map<std::size_t, Part> parts;
        for (const PairEffect& effect : pairs.effects) {
          const Measure& measure = pairs.measure_of(effect);
          if (effect.pair != p || measure.metric != metric || !effect.lengths.comparable()) continue;
          const LabelTexts dims = measure.texts();
          const std::string whole = dims.empty() ? "" : dims.front().second;
          Part& part = parts[effect.measure];
          part.name = whole.substr(whole.rfind('/') + 1);
          part.before += effect.base.median;
          part.after += effect.treated.median;
        }
        std::vector<Part> of_metric;
        for (auto& [measure, part] : parts) of_metric.push_back(std::move(part));
        if (const std::string text = changes_text(std::move(of_metric)); !text.empty())
          reasons.push_back(metric + ": " + text);
      }
      if (reasons.empty()) continue;
      Finding finding;
      finding.role = FindingRole::kAnswer;
      finding.labels = {{pairs.pairs[p].label, pairs.pairs[p].treated}};
      finding.title = subject_of(pairs.pairs[p]) + ", why: ";
      for (std::size_t i = 0; i < reasons.size(); ++i) finding.title += (i == 0 ? "" : "; ") + reasons[i];
      finding.text = "Medians over the runs of a side, summed over " + counted(pairs.strata[p].size(), "pair") + ".";
      sink.finding(finding);
    }
  }

  std::string label_, base_;
  std::vector<std::string> treated_, metrics_, why_;
  double equal_within_;
};

ASSAY_PLUGIN("label_effect", "1.0.0", LabelEffect);

}  // namespace assay::label_effect
