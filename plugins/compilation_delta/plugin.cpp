// What compiling a model changes: matched pairs, by mode, device time and progress apart.
#include "assay/sdk.hpp"
#include "delta.hpp"
#include "plots.hpp"
#include "words.hpp"

namespace assay::compile {

class CompilationDelta {
 public:
  static constexpr std::string_view kSummary = "Compares compiled with uncompiled runs of one model, pair by pair.";
  static constexpr OptionSpec kOptions[] = {
      {"label", OptionType::kLabel, "compile", "Label under test; everything else is held fixed."},
      {"base", OptionType::kText, "none", "Value of the label that the others are compared with."},
      {"device_metrics", OptionType::kMetricList, "iteration.gpu_busy_ns",
       "Device time. Not judged for runs whose kernels are hidden inside CUDA graphs."},
      {"wall_metrics", OptionType::kMetricList, "iteration.period_ns, window.duration_ns",
       "Progress of the whole run, host included; valid for CUDA graphs too."},
      {"opaque_metric", OptionType::kMetric, "graph.opaque_ratio",
       "Share of GPU busy time inside graphs that were not traced."},
      {"opaque_limit",
       OptionType::kNumber,
       "0.5",
       "Above this share device metrics of a run are not judged.",
       {},
       0,
       1},
  };
  static constexpr MetricSpec kProduces[] = {
      {"compile.ratio", "ratio", Polarity::kLowerIsBetter,
       "Metric of the compiled run over that of its uncompiled partner; dims: metric, mode and the pair's labels.",
       "compiled over uncompiled"},
      {"compile.noise_ratio", "ratio", Polarity::kNeutral,
       "Largest ratio of a metric between two runs of one program (equal fingerprints, equal compile label); dims: "
       "metric.",
       "spread between equal runs"},
      {"compile.pairs_beyond_noise", "1", Polarity::kNeutral,
       "Pairs whose effect lies beyond the noise floor of the metric; dims: metric, mode.",
       "pairs that differ beyond the noise floor"},
  };
  static constexpr Str kConsumes[] = {"fingerprint"};

  explicit CompilationDelta(const Options& options)
      : design_{std::string(options.label("label")),          std::string(options.text("base")),
                names(options.metrics("device_metrics")),     names(options.metrics("wall_metrics")),
                std::string(options.metric("opaque_metric")), options.number("opaque_limit")} {}

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    const Delta delta = compare(view, design_);
    emit_facts(delta, sink);
    if (delta.effects.empty()) {
      sink.skip(kNone,
                "no run has a " + design_.label + " other than '" + design_.base + "', so nothing can be compared");
      return;
    }
    for (const Finding& finding : findings(delta, design_)) sink.finding(finding);
    if (const auto plot = pair_plot(delta, design_)) sink.plot(*plot);
    sink.table(pair_table(delta));
    for (const Unmatched& u : delta.unmatched) sink.skip(static_cast<Row>(u.report), u.reason);
  }

 private:
  static std::vector<std::string> names(std::span<const Str> texts) {
    std::vector<std::string> out;
    for (const Str& text : texts) out.emplace_back(text.view());
    return out;
  }

  static void emit_facts(const Delta& delta, StudySink& sink) {
    std::vector<std::string> floors;
    for (const ModeEffect& effect : delta.effects) {
      if (effect.floor.known() && std::find(floors.begin(), floors.end(), effect.metric) == floors.end()) {
        floors.push_back(effect.metric);
        sink.fact("compile.noise_ratio", effect.floor.largest_ratio, {{"metric", effect.metric}});
      }
      if (effect.measured() > 0) {
        sink.fact("compile.pairs_beyond_noise", static_cast<double>(effect.beyond_floor()),
                  {{"metric", effect.metric}, {"mode", effect.mode}});
      }
      for (const PairEffect& pair : effect.pairs) {
        if (!pair.contrast) continue;
        std::vector<Dim> dims = {{"metric", effect.metric}, {"mode", effect.mode}};
        for (const auto& [name, value] : pair.stratum.labels) dims.push_back({name, value});
        sink.fact("compile.ratio", pair.contrast->effect.value, dims);
      }
    }
  }

  Design design_;
};

ASSAY_PLUGIN("compilation_delta", "1.0.0", CompilationDelta);

}  // namespace assay::compile
