// The common metrics of one report, the device work requested by its run, and the spread of repeat runs.
#include "assay/plugin.hpp"

#include <utility>

#include "algo/fingerprint.hpp"
#include "assay/algo/matching.hpp"
#include "assay/detail/text.hpp"
#include "assay/options.hpp"
#include "assay/output.hpp"
#include "assay/words.hpp"
#include "equal_runs.hpp"
#include "facts.hpp"
#include "metrics.hpp"

namespace assay::summary {

constexpr double kOpaqueLimit = 0.5;  ///< above it, too little of the launching is visible

class RunSummary {
 public:
  static constexpr std::string_view kSummary =
      "Busy time, launches, gaps, copies, waiting and iterations of a run; groups of repeat runs and how much they "
      "differ.";
  static constexpr ColumnId kWants[] = {
      col::kernels,      col::kernel_name,       col::kernel_context, col::kernel_grid,
      col::kernel_block, col::kernel_graph_node, col::graphs,         col::copies,
      col::copy_bytes,   col::copy_direction,    col::sets,           col::calls,
      col::iterations,   col::properties,        col::collectives,    col::ranges};
  static constexpr OptionSpec kOptions[] = {
      {"batch_label", OptionType::kText, "batch",
       "Label that holds the samples of one iteration, for throughput.samples_per_s."},
      {"device_time", OptionType::kMetricList, "iteration.gpu_busy_ns",
       "Metrics determined only by the device, whose spread is reported."},
      {"host_bound", OptionType::kMetricList, "iteration.gpu_span_ns, iteration.period_ns, window.duration_ns",
       "Metrics that the host also delays, whose spread is reported separately."},
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  static constexpr Str kConsumes[] = {"fingerprint",    "iteration.count", "window.duration_ns",
                                      "?label.verdict", "?label.conflict", "?label.trace_value"};

  explicit RunSummary(const Options& options)
      : batch_label_(options.text("batch_label")),
        device_time_(options.strings("device_time")),
        host_bound_(options.strings("host_bound")) {}

  void analyze(const Report& report, ReportSink& sink) const {
    const Interval window{report.window->start, report.window->end};
    const GpuWork work = gpu_work_of(report);
    CallSummary calls = report.calls != nullptr ? summarize_calls(*report.calls, report.threads->rows) : CallSummary{};
    KernelSummary kernels = summarize_kernels(work.kernels(), report.calls, window);
    const std::vector<DeviceBusy> devices = busy_by_device(work, opaque_graphs(work.graphs(), work.kernels()), window);
    const Coverage unknown = coverage_of(report, calls, kernels);
    const std::optional<double> opaque = unknown.opaque ? std::nullopt : std::optional<double>(opaque_ratio(devices));

    if (report.window->named == 0 && length(window) == 0) {
      sink.skip("window.duration_ns", "neither GPU work nor API calls were recorded, so the capture has no length");
    } else {
      sink.fact("window.duration_ns", static_cast<double>(length(window)));
    }
    const auto emit_unless = [&](const std::optional<std::string>& reason, std::string_view what, auto&& emit) {
      reason ? sink.skip(what, *reason) : emit();
    };
    emit_unless(unknown.kernels, "kernel.*", [&] { emit_kernels(kernels, sink); });
    emit_unless(unknown.calls, "launch.*, sync.*", [&] {
      emit_launches(calls, kernels, sink);
      emit_syncs(calls, sink);
    });
    if (report.graphs == nullptr && kernels.from_graphs > 0)
      emit_node_launches(report, sink);  // traced per node: none as a whole
    else
      emit_unless(unknown.graphs, "graph.launch_count, graph.time_sum_ns",
                  [&] { emit_graphs(work.graphs(), window, sink); });
    emit_unless(unknown.opaque, "graph.opaque_ratio", [&] { sink.fact("graph.opaque_ratio", *opaque); });
    emit_unless(unknown.copies, "copy.*", [&] {
      if (report.copies != nullptr) emit_copies(copies_by_direction(*report.copies, window), sink);
    });
    emit_unless(unknown.gpu, "gpu.*, gap.*, launch.bound_ratio", [&] {
      emit_busy(devices, length(window), sink);
      emit_parts(busy_by_part(work, report.collectives, window), report, sink);
      const GapSummary gaps = stream_gaps(work.kernels(), work.graphs(), report.calls);
      emit_gaps(gaps, sink);
      emit_bound(gaps, opaque, report, sink);
    });
    analyze_iterations(report, work, unknown, sink);
    emit_lost(report, sink);
    const Fingerprint made = fingerprint_of(report);
    made.unknown.empty() ? sink.attribute(kFingerprint, made.text) : sink.skip(kFingerprint, made.unknown);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    derive_throughput(view, sink);
    EqualRuns equal;
    equal.groups = replicate_groups(view);
    equal.reports = view.report_count();
    for (std::size_t r = 0; r < equal.reports; ++r)
      equal.without_fingerprint += view.attribute(r, "fingerprint") ? 0U : 1U;
    for (const std::string& metric : device_time_) equal.device.push_back(spread_of(view, equal.groups, metric));
    for (const std::string& metric : host_bound_) equal.host.push_back(spread_of(view, equal.groups, metric));
    emit_facts(equal, sink);
    sink.finding(equal_runs_finding(equal));
    if (equal.groups.empty()) return;
    sink.table(group_table(equal, view));
    sink.table(run_table(equal, view));
  }

 private:
  static void emit_bound(const GapSummary& gaps, std::optional<double> opaque, const Report& report, ReportSink& sink) {
    constexpr std::string_view metric = "launch.bound_ratio";
    if (report.calls == nullptr) return sink.skip(metric, "no API calls were recorded");
    if (!opaque) return sink.skip(metric, "graph.opaque_ratio is unknown");
    if (*opaque > kOpaqueLimit) return sink.skip(metric, "graph.opaque_ratio is above 0.5");
    sink.ratio(metric, static_cast<double>(gaps.host_bound), static_cast<double>(gaps.judged),
               "number of linked kernels after the first of their stream");
  }

  static void analyze_iterations(const Report& report, const GpuWork& work, const Coverage& unknown, ReportSink& sink) {
    constexpr std::string_view metrics = "iteration.*";
    if (report.iterations == nullptr)
      return sink.skip(metrics, "no iterations are configured, or no range has their name", SkipCause::kNoIterations);
    if (report.calls == nullptr) return sink.skip(metrics, "no API calls were recorded");
    const IterationSummary summary =
        summarize_iterations(*report.iterations, *report.calls, *report.threads, *report.window, work);
    emit_iterations(summary, unknown, sink);
  }

  /// Problems found by reading that change the numbers of a run or hide its work.
  static void emit_lost(const Report& report, ReportSink& sink) {
    bool has_unread = false;  // a file that joined the profile has rows of its own that nothing reads
    for (std::size_t i = 0; i < report.issues->rows; ++i) {
      const std::string_view name = report.issues->name[i].view();
      if (name == "passed_over" && !std::exchange(has_unread, true))
        sink.attribute("unread", report.issues->text[i].view());
      if (name == "launches_without_kernels") sink.attribute("lost_launches", report.issues->text[i].view());
    }
  }

  void derive_throughput(const StudyView& view, StudySink& sink) const {
    const auto label = view.label(batch_label_);
    if (!label) return;
    for (std::size_t report = 0; report < view.report_count(); ++report) {
      const auto row = static_cast<Row>(report);
      const auto count = view.value(row, "iteration.count"), window = view.value(row, "window.duration_ns");
      if (!count || *count == 0 || !window || *window == 0) continue;
      const auto batch = number_in<double>(view.label_text(report, batch_label_));
      if (!batch) {
        if (view.is_noise(report)) continue;  // its name belongs to another question, so no batch is expected in it
        sink.skip(row, "throughput.samples_per_s: label '" + batch_label_ + "' has no number");
        continue;
      }
      if (const auto reason = batch_doubted(view, row)) {
        sink.skip(row, "throughput.samples_per_s: " + *reason);
        continue;
      }
      sink.report_fact(row, "throughput.samples_per_s", *count * *batch / (*window / 1e9));
    }
  }

  /// Why the batch of a report is not trusted, or empty. With a wrong batch the number of samples would be wrong.
  [[nodiscard]] std::optional<std::string> batch_doubted(const StudyView& view, Row report) const {
    const std::string label = "label '" + batch_label_ + "' ";
    std::optional<std::string> reason, shown;
    const auto each = [&](std::string_view metric, auto&& visit) {
      view.each_fact(report, metric, [&](std::size_t fact) {
        const std::string_view dims = view.study().facts->dims[fact];
        if (dim_value(dims, "label") == batch_label_) visit(dims, view.study().facts->value[fact]);
      });
    };
    each("label.trace_value", [&](std::string_view, double value) { shown = printed(", which shows %g", value); });
    each("label.conflict",
         [&](std::string_view, double) { reason = label + "is contradicted by another run with the same labels"; });
    each("label.verdict", [&](std::string_view dims, double) {
      const auto verdict = dim_value(dims, "verdict");
      if (verdict == "contradicted") reason = label + "is contradicted by the trace" + shown.value_or("");
      if (verdict == "not_borne_out") reason = label + "is not borne out by the trace";
    });
    return reason;
  }

  std::string batch_label_;
  std::vector<std::string> device_time_, host_bound_;
};

}  // namespace assay::summary

ASSAY_PLUGIN("run_summary", "1.0.0", assay::summary::RunSummary);
