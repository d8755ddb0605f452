// What changed between two results of one question: another machine, another week, another driver.
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "delta.hpp"
#include "words.hpp"

namespace assay::result_delta {

class ResultDelta {
 public:
  static constexpr std::string_view kSummary =
      "Compares two results of one question metric by metric; used by 'assay compare'.";
  static constexpr OptionSpec kOptions[] = {
      {"label", OptionType::kLabel, "result", "Label that distinguishes the results; everything else is held fixed."},
      {"base", OptionType::kText, "before", "Its value in the denominator."},
      {"treated", OptionType::kText, "after", "Its value in the numerator."},
      {"measurement", OptionType::kText, "measurement",
       "Label whose values say which runs were measured together; results of several days show how much days differ."},
      {"metrics", OptionType::kTextList, "", "Ids of the metrics that are compared; none: all."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"result_delta.count", "1", Polarity::kNeutral,
       "Values that changed in one way between two results; dims: change.", "values that changed"},
  };
  static constexpr Str kConsumes[] = {"?fingerprint"};
  static constexpr OptionSpec kClaimKeys[] = {
      option::number("tolerance", "0", "Share by which a metric may be worse without being reported as worse.")
          .within(0, 10),
  };

  explicit ResultDelta(const Options& options)
      : pair_{std::string(options.label("label")), std::string(options.text("base")),
              std::string(options.text("treated"))},
        metrics_(options.strings("metrics")),
        measurement_(options.text("measurement")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const Delta delta = compare(view, pair_, metrics_, measurement_);
    for (const Unmatched& u : delta.pairs.left_out) sink.skip(static_cast<Row>(u.report), u.reason);
    if (delta.changes.empty()) {
      sink.skip(kNone, "no run is in both results with equal labels and a metric in common, so nothing was compared");
      return;
    }
    for (int change = 0; change <= static_cast<int>(Change::kUnlike); ++change) {
      const auto kind = static_cast<Change>(change);
      sink.fact("result_delta.count", static_cast<double>(count(delta, kind)), {{"change", change_name(kind)}});
    }
    for (const Finding& finding : findings(delta)) sink.finding(finding);
    sink.table(comparison_table(delta, view));
    for (std::size_t row = 0; row < study.claims->rows; ++row) judge_claim(study, delta, row, sink);
  }

 private:
  /// "No metric is worse": every tested value is a stratum; refuted by one that is worse beyond the tolerance.
  static void judge_claim(const Study& study, const Delta& delta, std::size_t row, StudySink& sink) {
    const double tolerance = study.claims->keys[row]->number("tolerance");
    std::vector<StratumVerdict> strata;
    std::size_t refuted = 0, supported = 0;
    for (std::size_t i = 0; i < delta.changes.size(); ++i) {
      const PairEffect& effect = delta.pairs.effects[i];
      const Measure& measure = delta.pairs.measure_of(effect);
      if (!measure.decides) continue;
      StratumVerdict stratum = verdict_of(effect, delta.changes[i], delta.polarity[effect.measure], tolerance);
      stratum.labels = delta.pairs.stratum_of(effect).labels;
      stratum.labels.emplace_back("metric", measure.metric);
      if (!measure.dims.empty()) stratum.labels.emplace_back("dims", measure.dims);
      refuted += stratum.verdict == Verdict::kRefuted ? 1 : 0;
      supported += stratum.verdict == Verdict::kSupported ? 1 : 0;
      strata.push_back(std::move(stratum));
    }
    const Verdict verdict = strata.empty()               ? Verdict::kUntestable
                            : refuted > 0                ? Verdict::kRefuted
                            : supported == strata.size() ? Verdict::kSupported
                                                         : Verdict::kInconclusive;
    sink.verdict(static_cast<std::int64_t>(row), verdict, reason(refuted, supported, strata.size(), tolerance), strata);
  }

  static StratumVerdict verdict_of(const PairEffect& c, Change change, Polarity polarity, double tolerance) {
    StratumVerdict out;
    if (change == Change::kUnlike) {
      out.reason = "not compared: " + c.lengths.refused;
      return out;
    }
    out.verdict = change == Change::kEqual ? Verdict::kSupported : Verdict::kInconclusive;
    out.reason = change == Change::kEqual ? "the values are equal" : "run-to-run noise is unknown";
    if (!c.contrast) return out;
    out.effect = c.contrast->effect;
    out.method = c.contrast->method;
    out.evidence = c.contrast->evidence;
    if (change == Change::kEqual || change == Change::kUndecided) return out;
    constexpr double kOpen = std::numeric_limits<double>::infinity();
    const bool lower = polarity == Polarity::kLowerIsBetter;
    out.verdict = judge(c.contrast->effect, lower ? 0 : 1 / (1 + tolerance), lower ? 1 + tolerance : kOpen);
    out.reason = out.verdict == Verdict::kRefuted     ? "the interval lies entirely on the worse side"
                 : out.verdict == Verdict::kSupported ? "the interval lies entirely within the tolerance"
                                                      : "the interval reaches beyond the tolerance";
    return out;
  }

  static std::string reason(std::size_t refuted, std::size_t supported, std::size_t all, double tolerance) {
    if (all == 0) return "no metric that can be better or worse is in both results";
    return counted_of(refuted, all, "value") + printed(" worse beyond a tolerance of %g %%, ", 100 * tolerance) +
           std::to_string(supported) + " shown not to be, " + std::to_string(all - refuted - supported) + " open";
  }

  LabelPair pair_;
  std::vector<std::string> metrics_;
  std::string measurement_;
};

ASSAY_PLUGIN("result_delta", "1.0.0", ResultDelta);

}  // namespace assay::result_delta
