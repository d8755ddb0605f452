// The effect of pipeline options compared with that of the model, and the mechanism behind it.
#include <algorithm>
#include <cmath>
#include <set>

#include "assay/output.hpp"
#include "assay/pair_outputs.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "changes.hpp"
#include "scale.hpp"
#include "variance.hpp"

namespace assay::pipeline {
namespace {

using Shares = std::vector<std::optional<VarianceShares>>;  ///< by metric

/// A share of variance; rounding may make it negative.
std::string whole_percent(double share) { return percent(std::max(0.0, share), 0); }

std::string shares_clause(const std::string& metric, const VarianceShares& s) {
  return filled(
      "the model explains {} to {} of the variance of {}, the pipeline's options {} to {}",
      {whole_percent(std::min(s.model_alone, s.model_after())), whole_percent(std::max(s.model_alone, s.model_after())),
       metric, whole_percent(std::min(s.pipeline_alone, s.pipeline_after())),
       whole_percent(std::max(s.pipeline_alone, s.pipeline_after()))});
}

/// The numbers of the change with the largest effect on the first measure; none if there is none.
void set_numbers(Finding& finding, const StudyView& view, const PairStudy& pairs) {
  double largest = -1;
  for (std::size_t p = 0; p < pairs.pairs.size(); ++p) {
    const auto numbers = pair_answer(view, pairs, 0, p, {});
    if (!numbers || !numbers->effect || pairs.tally(0, p).differs == 0) continue;
    const double size = std::abs(std::log(numbers->effect->value));
    if (size <= largest) continue;
    largest = size;
    finding.labels = numbers->labels;
    finding.effect = numbers->effect;
    finding.method = numbers->method;
    finding.pairs = numbers->pairs;
    finding.agreeing = numbers->agreeing;
  }
}

/// "with mode sync -> async x0.50; not confirmed: queue 2 -> 8 x0.86"; empty: no pairs.
std::string changes_text(const PairStudy& pairs) {
  std::vector<std::string> confirmed, open, unmeasured;
  for (std::size_t p = 0; p < pairs.pairs.size(); ++p) {
    const PairTally tally = pairs.tally(0, p);
    const std::string& name = pairs.pairs[p].name;
    if (tally.made > 0) {
      const std::string low = printed("%.2f", tally.low), high = printed("%.2f", tally.high);
      const std::string size = name + " x" + (low == high ? low : low + " to " + high);
      (tally.differs == tally.made || tally.equivalent == tally.made ? confirmed : open).push_back(size);
    } else if (!pairs.strata[p].empty()) {
      unmeasured.push_back(name);
    }
  }
  std::string text = confirmed.empty() ? "" : " with " + listed(confirmed);
  if (!open.empty())
    text += (text.empty() ? ", no option confirmed beyond run-to-run noise: " : "; not confirmed: ") + listed(open);
  if (!unmeasured.empty()) text += (text.empty() ? ": " : "; ") + listed(unmeasured) + " not measured";
  return text;
}

/// The first measure is that of the answer; its numbers are those of the change with the largest effect.
Finding answer(const StudyView& view, const PairStudy& pairs, const Shares& shares) {
  Finding finding;
  finding.role = FindingRole::kAnswer;
  const std::string words = changes_text(pairs);
  finding.title =
      words.empty() ? "No two runs differ in only one option of the pipeline" : pairs.measures.front().metric + words;
  // With only a few runs, or as many as parameters, the shares describe nothing beyond the runs themselves.
  constexpr std::size_t kMinRuns = 10;
  if (!shares.empty() && shares.front() && shares.front()->runs >= kMinRuns && shares.front()->degrees() > 0)
    finding.title += "; " + shares_clause("it", *shares.front());
  for (std::size_t p = 0; p < pairs.pairs.size(); ++p) {
    for (std::size_t m = 0; m < pairs.measures.size(); ++m) {
      const std::string text = tally_text(pairs, m, p);
      if (!text.empty()) finding.text += filled("{}: {}. ", {pairs.pairs[p].name, text});
    }
  }
  finding.text += level_sentence(pairs);
  set_numbers(finding, view, pairs);
  return finding;
}

/// One per comparison, those that differ first.
std::vector<Finding> evidence(const PairStudy& pairs, const Traces& traces) {
  std::vector<Finding> out;
  for (const PairEffect* effect : differing_first(pairs)) {
    out.push_back(pair_evidence(pairs, *effect));
    if (traces[effect->pair][effect->stratum].equal_programs)
      out.back().text += " Both sides did the same device work.";
  }
  return out;
}

/// The changes with a visible mechanism: waiting calls and overlap.
std::vector<Finding> mechanisms(const PairStudy& pairs, const Traces& traces) {
  std::vector<Finding> out;
  for (std::size_t p = 0; p < traces.size(); ++p) {
    if (traces[p].empty()) continue;
    std::size_t equal = 0;
    std::vector<double> waits_before, waits_after, overlap_before, overlap_after;
    for (const Trace& pair : traces[p]) {
      equal += pair.equal_programs ? 1U : 0U;
      waits_before.push_back(pair.before.waits);
      waits_after.push_back(pair.after.waits);
      overlap_before.push_back(pair.before.overlap);
      overlap_after.push_back(pair.after.overlap);
    }
    const auto range = [](std::vector<double>& values, int digits) {
      std::erase_if(values, [](double v) { return std::isnan(v); });
      if (values.empty()) return std::string("unknown");
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      return low_to_high(*low, *high, digits);
    };
    Finding finding;
    finding.title =
        filled("Mechanism of {}: {}",
               {pairs.pairs[p].name, equal == traces[p].size()
                                         ? "none in the trace, both sides ran the same program"
                                         : "waiting calls " + range(waits_before, 2) + " -> " + range(waits_after, 2) +
                                               " per iteration, overlap " + range(overlap_before, 2) + " -> " +
                                               range(overlap_after, 2)});
    finding.text = filled(
        "{}, of which {} ran the same program. Waiting calls are host calls that wait for the device; overlap is the "
        "share of copy time during which a kernel runs.",
        {counted(traces[p].size(), "pair"), std::to_string(equal)});
    out.push_back(std::move(finding));
  }
  return out;
}

std::vector<Finding> variance_findings(const std::vector<std::string>& metrics, const Shares& shares) {
  std::vector<Finding> out;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    if (!shares[m]) continue;
    const VarianceShares& s = *shares[m];
    Finding finding;
    finding.title = filled("Of {} {}", {metrics[m], shares_clause("its logarithm", s)});
    finding.text = filled(
        "Least squares over {} with {} combinations of model labels and {} of pipeline labels; the first number of "
        "each is what it explains after the other or alone, whichever is less. {}",
        {counted(s.runs, "run"), std::to_string(s.models), std::to_string(s.pipelines),
         s.degrees() == 0 ? "There are no degrees of freedom left, so the shares describe only this set of runs."
                          : counted(s.degrees(), "degree") + " of freedom are left."});
    out.push_back(std::move(finding));
  }
  return out;
}

Finding scale_finding(const BatchScale& scale, const std::string& batch) {
  Finding finding;
  finding.labels = scale.labels;
  const BatchPoint& first = scale.points.front();
  const BatchPoint& last = scale.points.back();
  finding.title = filled("{} {} -> {}: latency × {}, samples per second × {}",
                         {batch, first.batch, last.batch, printed("%.2f", last.latency_ns / first.latency_ns),
                          printed("%.1f", last.samples_per_s / first.samples_per_s)});
  for (const BatchPoint& p : scale.points) {
    finding.text += filled(
        "{} {}: {} per batch, {} samples/s{} (n = {}). ",
        {batch, p.batch, time_text(p.latency_ns), printed("%.0f", p.samples_per_s),
         std::isnan(p.device_ns) ? std::string() : ", GPU busy " + time_text(p.device_ns), counted(p.runs, "run")});
    finding.evidence.insert(finding.evidence.end(), p.facts.begin(), p.facts.end());
  }
  finding.text += "These numbers only describe the runs: latency includes host delays, which vary between repeat runs.";
  return finding;
}

/// One row per comparison, with the mechanism.
Table option_table(const PairStudy& pairs, const Traces& traces) {
  const auto rows = pairs.made();
  const auto of = [&](const PairEffect* e) -> const Trace& { return traces[e->pair][e->stratum]; };
  Table table = pair_table(pairs, "options", "Options of the pipeline, pair by pair", "change");
  table.column("waits before", "1", rows, [&](const PairEffect* e) { return of(e).before.waits; })
      .column("waits after", "1", rows, [&](const PairEffect* e) { return of(e).after.waits; })
      .column("overlap before", "ratio", rows, [&](const PairEffect* e) { return of(e).before.overlap; })
      .column("overlap after", "ratio", rows, [&](const PairEffect* e) { return of(e).after.overlap; })
      .column("programs", "", rows, [&](const PairEffect* e) { return of(e).equal_programs ? "equal" : "differ"; });
  return table;
}

Table scale_table(const std::vector<BatchScale>& scales, const std::string& batch) {
  struct TableRow {
    const std::string* model;
    const BatchPoint* point;
  };
  std::vector<LabelTexts> labels;
  for (const BatchScale& scale : scales) labels.push_back(scale.labels);
  const std::vector<std::string> names = telling_names(labels, "all runs");
  std::vector<TableRow> rows;
  for (std::size_t s = 0; s < scales.size(); ++s) {
    for (const BatchPoint& point : scales[s].points) rows.push_back({&names[s], &point});
  }
  const auto point = [](auto member) { return [member](const TableRow& at) { return at.point->*member; }; };
  Table table("batch", "Latency and throughput by " + batch);
  table.column("runs of", "", rows, [](const TableRow& at) { return *at.model; })
      .column(batch, "", rows, point(&BatchPoint::batch))
      .column("latency", "ns", rows, point(&BatchPoint::latency_ns))
      .column("GPU busy", "ns", rows, point(&BatchPoint::device_ns))
      .column("samples per second", "1/s", rows, point(&BatchPoint::samples_per_s))
      .column("runs", "1", rows, point(&BatchPoint::runs));
  return table;
}

}  // namespace

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
  static constexpr Str kConsumes[] = {"fingerprint", "sync.count", "iteration.count", "gpu.overlap_ratio",
                                      "?claim.ratio"};

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
    std::vector<UnmatchedReport> left_out;
    Shares shares;
    for (const std::string& metric : metrics_) {
      shares.push_back(model_.empty() || pipeline_.empty()
                           ? std::nullopt
                           : variance_shares(view, metric, model_, pipeline_, left_out));
    }
    std::set<std::pair<std::size_t, std::string>> said;
    for (const UnmatchedReport& u : pairs.left_out) said.emplace(u.report, u.reason);
    for (const UnmatchedReport& u : left_out) {
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
