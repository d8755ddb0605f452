// What the options of a pipeline do, against what the model does, and by which mechanism.
#include <set>

#include "assay/pair_outputs.hpp"
#include "assay/sdk.hpp"
#include "changes.hpp"
#include "scale.hpp"
#include "variance.hpp"
#include "words.hpp"

namespace assay::pipeline {

class PipelineVariation {
 public:
  static constexpr std::string_view kSummary =
      "Compares pipeline options pair by pair, with waiting calls and overlap as the mechanism, and shows how much the "
      "model explains.";
  static constexpr OptionSpec kOptions[] = {
      {"changes", OptionType::kTextList, "", "Options that are compared, each as \"label: from -> to\"."},
      {"metrics", OptionType::kMetricList, "iteration.period_ns, iteration.gpu_busy_ns",
       "Metrics that are compared; the first is the one of the answer."},
      {"batch", OptionType::kLabel, "",
       "Label that holds the samples of an iteration; empty: no latency against throughput."},
      {"latency", OptionType::kMetric, "iteration.period_ns", "Time of one batch in the steady state."},
      {"device", OptionType::kMetric, "iteration.gpu_busy_ns", "GPU time of one batch."},
      {"model", OptionType::kLabelList, "", "Labels that make the model and its input."},
      {"pipeline", OptionType::kLabelList, "", "Labels that make the pipeline."},
  };
  static constexpr MetricSpec kProduces[] = {
      {"pipeline.ratio", "ratio", Polarity::kNeutral,
       "Median of a metric with an option changed over that without; dims: change, metric and the labels held fixed.",
       "option changed over unchanged"},
      {"pipeline.variance_ratio", "ratio", Polarity::kNeutral,
       "Share of the variance of the log of a metric that a factor explains alone, or after the other; dims: metric, "
       "by=model|pipeline, order=alone|after.",
       "spread of iterations, changed over unchanged"},
      {"pipeline.waits_per_iteration", "1", Polarity::kLowerIsBetter,
       "Host calls that wait for the device, per iteration of a profile.", "waiting calls in an iteration"},
  };
  static constexpr Str kConsumes[] = {"fingerprint", "sync.count", "iteration.count", "gpu.overlap_ratio"};

  explicit PipelineVariation(const Options& options)
      : metrics_(options.strings("metrics")),
        batch_(options.label("batch")),
        latency_(options.metric("latency")),
        device_(options.metric("device")),
        model_(options.strings("model")),
        pipeline_(options.strings("pipeline")) {
    for (const Str& text : options.texts("changes")) changes_.push_back(change_from(text));
    if (changes_.empty() || metrics_.empty()) {
      throw std::invalid_argument(
          "'changes' or 'metrics' is empty, so nothing is compared; give e.g. changes = "
          "[\"mode: sync -> async\"]");
    }
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    PairDesign design{"pipeline_variation", changes_, {}};
    for (const std::string& metric : metrics_) design.measures.push_back({metric});
    const PairStudy pairs = compare_pairs(view, design);
    const Traces traces = traces_of(view, pairs);
    emit_left_out(pairs, sink);
    std::vector<Unmatched> left_out;
    Shares shares;
    for (const std::string& metric : metrics_) {
      shares.push_back(model_.empty() || pipeline_.empty()
                           ? std::nullopt
                           : variance_shares(view, metric, model_, pipeline_, left_out));
    }
    std::set<std::pair<std::size_t, std::string>> said;
    for (const Unmatched& u : pairs.left_out) said.emplace(u.report, u.reason);
    for (const Unmatched& u : left_out) {
      if (said.emplace(u.report, u.reason).second) sink.skip(static_cast<Row>(u.report), u.reason);
    }
    emit_pair_facts(pairs, "pipeline.ratio", "change", sink);
    emit_facts(view, shares, sink);
    sink.finding(answer(view, pairs, shares));
    for (const Finding& f : variance_findings(metrics_, shares)) sink.finding(f);
    for (const Finding& f : mechanisms(pairs, traces)) sink.finding(f);
    if (!batch_.empty()) {
      const std::vector<BatchScale> scales = batch_scales(view, batch_, latency_, device_);
      for (const BatchScale& scale : scales) sink.finding(scale_finding(scale, batch_));
      if (!scales.empty()) sink.table(scale_table(scales, batch_));
    }
    for (const Finding& f : evidence(pairs, traces)) sink.finding(f);
    const auto programs = [&](const PairEffect& e) {
      return std::string(traces[e.pair][e.stratum].equal_programs ? "equal" : "different");
    };
    if (const auto plot = pair_plot(pairs, {"options", "Options of the pipeline, pair by pair", "changed / unchanged",
                                            "Left of 1, the change makes the run faster. If both programs did the same "
                                            "device work, only the host can differ.",
                                            "programs of the pair", programs}))
      sink.plot(*plot);
    sink.table(effects_table(view, pairs));
    sink.table(option_table(pairs, traces));
  }

 private:
  void emit_facts(const StudyView& view, const Shares& shares, StudySink& sink) const {
    for (std::size_t r = 0; r < view.report_count(); ++r) {
      if (const auto waits = waits_per_iteration(view, r)) {
        sink.report_fact(static_cast<Row>(r), "pipeline.waits_per_iteration", *waits);
      }
    }
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      const std::string& metric = metrics_[m];
      if (!shares[m]) continue;
      const auto share = [&](const char* by, const char* order, double value) {
        sink.fact("pipeline.variance_ratio", value, {{"metric", metric}, {"by", by}, {"order", order}});
      };
      share("model", "alone", shares[m]->model_alone);
      share("model", "after", shares[m]->model_after());
      share("pipeline", "alone", shares[m]->pipeline_alone);
      share("pipeline", "after", shares[m]->pipeline_after());
    }
  }

  std::vector<LabelPair> changes_;
  std::vector<std::string> metrics_;
  std::string batch_, latency_, device_;
  std::vector<std::string> model_, pipeline_;
};

ASSAY_PLUGIN("pipeline_variation", "1.0.0", PipelineVariation);

}  // namespace assay::pipeline
