// What compiling a model changes: matched pairs by mode, separately for device time and progress.
#include "assay/sdk.hpp"

namespace assay::compile {

class CompilationDelta {
 public:
  static constexpr std::string_view kSummary = "Compares compiled with uncompiled runs of one model, pair by pair.";
  static constexpr OptionSpec kOptions[] = {
      {"label", OptionType::kLabel, "compile", "Label under test; everything else is held fixed."},
      {"base", OptionType::kText, "none", "Value of the label that the others are compared with."},
      {"wall_metrics", OptionType::kMetricList, "iteration.period_ns, window.duration_ns",
       "Progress of the whole run, including the host; also valid for CUDA graphs."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"compile.ratio", "ratio", Polarity::kLowerIsBetter,
       "Metric of the compiled run over that of its uncompiled partner; dims: metric, mode and the pair's labels.",
       "compiled over uncompiled"},
      {"compile.noise_ratio", "ratio", Polarity::kNeutral,
       "Largest ratio of a metric between two runs of one program (equal fingerprints, equal compile label); dims: "
       "metric.",
       "spread between repeat runs"},
      {"compile.pairs_beyond_noise", "1", Polarity::kNeutral,
       "Pairs whose effect lies beyond the noise floor of the metric, all comparisons sharing the error; dims: metric, "
       "mode.",
       "pairs that differ beyond the noise floor"},
  };
  static constexpr Str kConsumes[] = {"fingerprint", "?iteration.count", "?claim.ratio"};

  explicit CompilationDelta(const Options& options)
      : label_(options.label("label")), base_(options.text("base")), wall_(options.strings("wall_metrics")) {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    PairDesign design{"compilation_delta", label_pairs(view, label_, base_), {{kDeviceTime}}};
    for (const std::string& metric : wall_) design.measures.push_back({metric});
    design.speaks = [&](const Stratum& stratum, const Measure& measure) {
      if (measure.metric != kDeviceTime) return true;
      const auto opaque = opaque_ratio(view, stratum);
      return opaque && *opaque <= kMaxOpaque;
    };
    const PairStudy pairs = compare_pairs(view, design);
    emit_left_out(pairs, sink);
    if (pairs.pairs.empty()) {
      return sink.skip(kNone, filled("no run has a {} other than '{}', so nothing can be compared", {label_, base_}));
    }
    emit_pair_facts(pairs, "compile.ratio", "mode", sink);
    for (std::size_t m = 0; m < pairs.measures.size(); ++m) emit_counts(pairs, m, sink);
    for (std::size_t p = 0; p < pairs.pairs.size(); ++p) answer(view, pairs, p, sink);
    emit_pairs(view, pairs,
               {"pairs", "Compiled vs. uncompiled, pair by pair", label_ + " mode / " + base_,
                "Below 1, the compiled run was faster than its uncompiled partner.", label_,
                [&](const PairEffect& effect) { return pairs.pair_of(effect).name; }},
               "mode", sink, [&](Table& table) {
                 table.column(std::string(kOpaque), "ratio", pairs.made(),
                              [&](const PairEffect* e) { return opaque_ratio(view, pairs.stratum_of(*e)); });
               });
  }

 private:
  static constexpr const char* kDeviceTime = "iteration.gpu_busy_ns";
  /// Share of GPU busy time inside graphs that were not traced. Above the limit device time is not judged.
  static constexpr std::string_view kOpaque = "graph.opaque_ratio";
  static constexpr double kMaxOpaque = 0.5;

  /// The largest of the treated runs; empty if a run lacks the ratio, which does not mean zero.
  [[nodiscard]] std::optional<double> opaque_ratio(const StudyView& view, const Stratum& stratum) const {
    double largest = 0;
    for (const std::size_t r : stratum.treated) {
      const auto opaque = view.value(static_cast<Row>(r), kOpaque);
      if (!opaque) return std::nullopt;
      largest = std::max(largest, *opaque);
    }
    return largest;
  }

  static void emit_counts(const PairStudy& pairs, std::size_t measure, StudySink& sink) {
    const std::string& metric = pairs.measures[measure].metric;
    const NoiseFloor* floor = nullptr;
    for (std::size_t p = 0; p < pairs.pairs.size(); ++p) {
      const PairTally tally = pairs.tally(measure, p);
      if (tally.made == 0) continue;
      floor = &pairs.floors[p][measure];
      sink.fact("compile.pairs_beyond_noise", static_cast<double>(tally.differs),
                {{"metric", metric}, {"mode", pairs.pairs[p].name}});
    }
    if (floor != nullptr && floor->known())
      sink.fact("compile.noise_ratio", floor->largest_ratio, {{"metric", metric}});
  }

  /// One answer per metric, or one that states that nothing was measured.
  void answer(const StudyView& view, const PairStudy& pairs, std::size_t pair, StudySink& sink) const {
    double opaque = 0;
    for (const Stratum& s : pairs.strata[pair]) opaque = std::max(opaque, opaque_ratio(view, s).value_or(0));
    const std::string subject = pairs.pairs[pair].treated + " vs " + base_;
    const std::string graphs = opaque > 0 ? filled(
                                                "These runs launch CUDA graphs: {}{}, so kernel times are incomplete "
                                                "and only period and window are judged. ",
                                                {std::string(kOpaque), printed(" is up to %.3f", opaque)})
                                          : "";
    bool any = false;
    for (std::size_t m = 0; m < pairs.measures.size(); ++m) {
      auto finding = pair_answer(view, pairs, m, pair, subject);
      if (!finding) continue;
      any = true;
      finding->text = graphs + finding->text;
      sink.finding(*finding);
    }
    if (any) return;
    Finding nothing;
    nothing.role = FindingRole::kAnswer;
    nothing.labels = {{label_, pairs.pairs[pair].treated}};
    nothing.title = subject + ": nothing could be measured";
    nothing.text = graphs + "No pair of runs has a metric that could be compared.";
    sink.finding(nothing);
  }

  std::string label_, base_;
  std::vector<std::string> wall_;
};

ASSAY_PLUGIN("compilation_delta", "1.0.0", CompilationDelta);

}  // namespace assay::compile
