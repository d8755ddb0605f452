// What requests of a server wait for: time to the first token and per token, from the ranges of its phases.

#include "algo/nearest.hpp"
#include "assay/algo/dims.hpp"
#include "assay/detail/text.hpp"
#include "assay/sdk.hpp"
#include "assay/words.hpp"
#include "emit.hpp"
#include "metrics.hpp"
#include "summary.hpp"
#include "words.hpp"

namespace assay::serving {

class Serving {
 public:
  static constexpr std::string_view kSummary =
      "Requests of a server: time to the first token (TTFT), per token (TPOT), tokens and requests per second, steps "
      "by "
      "kind.";
  static constexpr ColumnId kWants[] = {col::ranges, col::spans,  col::calls, col::kernels,
                                        col::graphs, col::copies, col::sets};
  static constexpr OptionSpec kOptions[] = {
      {"request", OptionType::kTextList, "request, request_{i}", "Names of the ranges of requests; {i} is a number."},
      {"prefill", OptionType::kTextList, "prefill, prefill_{i}", "Names of the ranges that compute a prompt."},
      {"decode", OptionType::kTextList, "decode, decode_{i}, decode_step_{i}",
       "Names of the ranges that compute the next token."},
      {"steps", OptionType::kTextList, "",
       "Rules 'NAME KIND: TEMPLATE' of the names that servers give their steps (data/serving_names.toml)."},
      {"own_steps", OptionType::kTextList, "", "Rules of your own, tried before 'steps'."},
      {"batch_label", OptionType::kLabel, "", "Label that holds how many sequences a request stands for; empty: one."},
      option::number("tokens_per_request", "0", "Tokens of each request; 0: counted by its ranges.").within(0, 1e9),
      option::number("tokens_per_range", "1", "Tokens that a decode range makes for a sequence.").within(1e-3, 1e6),
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr Str kConsumes[] = {"serving.ttft_ns",       "serving.tpot_ns",     "serving.token_gap_ns",
                                      "serving.request_count", "serving.tokens",      "serving.span_ns",
                                      "serving.time_ratio",    "?range.host_ns.plain"};

  explicit Serving(const Options& options)
      : names_{options.strings("request"), options.strings("prefill"), options.strings("decode")},
        own_steps_(options.texts("own_steps")),
        steps_(options.texts("steps")),
        batch_label_(options.label("batch_label")),
        rules_{options.number("tokens_per_request"), options.number("tokens_per_range")} {
    for (const char* name : {"request", "prefill", "decode"}) {
      if (options.given(name))
        for (const Str& pattern : options.texts(name)) asked_.emplace_back(pattern.view());
    }
  }

  void analyze(const Report& report, ReportSink& sink) const {
    constexpr std::string_view kAll = "serving.*";
    const Phases phases = phases_of(report, names_, [&](std::string_view name) { return read(name); });
    for (const std::string& name : asked_) {
      if (std::ranges::find(phases.unmatched, name) != phases.unmatched.end())
        sink.issue("no_such_range", Severity::kWarning, 0,
                   filled("No range is named '{}'{}.", {name, nearest_text(name, range_names(report))}));
    }
    if (!serves(phases))
      return sink.skip(kAll, "no ranges are named like the requests and steps of a server",
                       asked_.empty() ? SkipCause::kNoIterations : SkipCause::kOther);
    const Latencies latencies = latencies_of(phases, rules_);
    emit_left_out(phases, latencies, sink);
    emit_facts(latencies, sink);
    emit_tables(latencies, sink);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    std::vector<ServedRun> runs;
    for (const std::size_t r : view.participants()) {
      if (const auto run = run_of(view, r, sink)) {
        runs.push_back(*run);
        emit_plain(view, r, sink);
      }
    }
    if (runs.empty()) return sink.skip(kNone, "no profile has requests or steps of a server");
    for (const Finding& finding : findings(view, runs)) sink.finding(finding);
    sink.table(run_table(view, runs));
  }

 private:
  [[nodiscard]] std::optional<StepName> read(std::string_view name) const {
    const auto own = own_steps_.read(name);
    return own ? own : steps_.read(name);
  }

  /// The usual names alone may mean something else ("decode" of a video): a decode requires a request or a prefill as
  /// well.
  [[nodiscard]] bool serves(const Phases& phases) const {
    if (phases.requests.empty() && phases.steps.empty()) return false;
    if (phases.named_steps || !asked_.empty()) return true;
    const auto has = [&](StepKind kind) {
      return std::ranges::any_of(phases.steps, [&](const ServedStep& step) { return step.name.kind == kind; });
    };
    return has(StepKind::kDecode) && (has(StepKind::kPrefill) || !phases.requests.empty());
  }

  std::optional<ServedRun> run_of(const StudyView& view, std::size_t report, StudySink& sink) const {
    const auto row = static_cast<Row>(report);
    const auto tokens = view.value(row, "serving.tokens"), span = view.value(row, "serving.span_ns");
    if (!tokens || !span) return std::nullopt;
    ServedRun run{report, batch_of(view, report)};
    const auto mean_of = [&](std::string_view metric, std::string_view dims) {
      const auto fact = view.fact(row, metric, dims);
      if (fact) run.evidence.push_back(static_cast<std::int64_t>(*fact));
      return fact ? std::optional(view.study().facts->value[*fact]) : std::nullopt;
    };
    run.ttft = mean_of("serving.ttft_ns", "quantile=p50");
    run.tpot = mean_of("serving.tpot_ns", "quantile=p50");
    run.tpot_p99 = mean_of("serving.tpot_ns", "quantile=p99");
    run.gap = mean_of("serving.token_gap_ns", "quantile=p50");
    run.prefill = mean_of("serving.time_ratio", "kind=prefill");
    const double requests = view.value(row, "serving.request_count").value_or(0);
    const auto rate = [&](std::string_view metric, double count) {
      if (*span <= 0 || count <= 0) return std::optional<double>();
      const double per_s = count * run.batch / (*span / 1e9);
      sink.report_fact(row, metric, per_s);
      return std::optional(per_s);
    };
    run.tokens_per_s = rate("serving.tokens_per_s", *tokens);
    run.requests_per_s = rate("serving.requests_per_s", requests);
    return run;
  }

  /// The server's own times of ranges whose last name is a phase.
  void emit_plain(const StudyView& view, std::size_t report, StudySink& sink) const {
    const auto row = static_cast<Row>(report);
    view.each_fact(row, "range.host_ns.plain", [&](std::size_t fact) {
      const std::string path = dim_value(view.study().facts->dims[fact].view(), "path").value_or("");
      const std::string name = path.substr(path.rfind('/') + 1);
      const auto is = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, name) != names.end();
      };
      if (!is(names_.decode) && !is(names_.prefill)) return;
      const std::span<const double> samples = view.samples(fact);
      each_quantile(quantiles_of({samples.begin(), samples.end()}), [&](std::string_view quantile, double value) {
        sink.report_fact(row, is(names_.decode) ? "serving.token_gap_ns.plain" : "serving.ttft_ns.plain", value,
                         {{"quantile", quantile}});
      });
    });
  }

  /// 1 without a numeric label.
  [[nodiscard]] double batch_of(const StudyView& view, std::size_t report) const {
    const std::string_view text = batch_label_.empty() ? std::string_view() : view.label_text(report, batch_label_);
    const double batch = number_in<double>(text).value_or(1);
    return batch > 0 ? batch : 1;
  }

  PhaseNames names_;
  StepNames own_steps_, steps_;
  std::string batch_label_;
  TokenRules rules_;
  std::vector<std::string> asked_;  ///< names given by the question
};

ASSAY_PLUGIN("serving", "1.0.0", Serving);

}  // namespace assay::serving
