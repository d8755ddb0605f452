// Writes the text of the published latency script for every report, with its layout and numbers, for comparison.
// Nothing else depends on these numbers.
#include "assay/plugin.hpp"

#include "assay/output.hpp"
#include "metrics.hpp"
#include "script.hpp"
#include "text.hpp"

namespace assay::latency {
namespace {

double number(std::int64_t value) { return static_cast<double>(value); }

void emit_kernels(const Extent& kernels, ReportSink& sink) {
  sink.fact("seed.kernel_count", number(kernels.rows));
  sink.fact("seed.kernel_time_sum_ns", number(kernels.time));
  sink.ratio("seed.compute_utilization", number(kernels.time), number(kernels.timeline()), "the kernels' timeline");
  if (kernels.rows == 0) return;
  sink.fact("seed.kernel_time_min_ns", number(kernels.shortest));
  sink.fact("seed.kernel_time_max_ns", number(kernels.longest));
  sink.fact("seed.kernel_timeline_ns", number(kernels.timeline()));
}

void emit_operations(const Script& script, ReportSink& sink) {
  const Extent& all = script.operations;
  sink.fact("seed.total_operations", number(all.rows));
  sink.fact("seed.active_streams", number(script.streams));
  sink.ratio("seed.temporal_compression_ratio", number(all.time), number(all.timeline()), "the operations' timeline");
  if (all.rows == 0) return;
  sink.fact("seed.average_stream_utilization", script.average_stream_utilization);
  sink.fact("seed.operation_time_sum_ns", number(all.time));
  sink.fact("seed.timeline_ns", number(all.timeline()));
}

void emit_copies(const std::string& direction, const CopyNumbers& copies, ReportSink& sink) {
  const bool named = direction == "h2d" || direction == "d2h";
  const std::string bandwidth = "seed." + direction + "_bandwidth_mib_per_s";
  if (!copies.sized) {
    const std::string reason = "not every copy in direction " + direction + " has a size";
    sink.skip("seed.copy_*", reason);
    if (named) sink.skip(bandwidth, reason);
    return;
  }
  const Extent& extent = copies.extent;
  const Dims dims = {{"direction", direction}};
  sink.fact("seed.copy_count", number(extent.rows), dims);
  sink.fact("seed.copy_bytes", number(copies.bytes), dims);
  sink.fact("seed.copy_time_sum_ns", number(extent.time), dims);
  sink.fact("seed.copy_time_min_ns", number(extent.shortest), dims);
  sink.fact("seed.copy_time_max_ns", number(extent.longest), dims);
  if (!named) return;
  extent.time == 0 ? sink.skip(bandwidth, "time of the copies is 0")
                   : sink.fact(bandwidth, mib_per_s(number(copies.bytes), number(extent.time)));
}

void emit_pipeline(const PipelineNumbers& p, ReportSink& sink) {
  if (p.kernels.rows == 0) return sink.skip("seed.pipeline_*", "no kernel is linked to a call inside the host window");
  sink.fact("seed.total_gaps", number(p.kernels.rows - 1));
  sink.fact("seed.significant_gaps", number(p.significant));
  sink.fact("seed.large_gaps", number(p.large));
  sink.fact("seed.very_large_gaps", number(p.very_large));
  sink.fact("seed.significant_gap_time_ns", number(p.significant_time));
  if (p.positive > 0) sink.fact("seed.average_gap_ns", number(p.positive_time) / number(p.positive));
  sink.fact("seed.max_gap_ns", number(p.longest));
  sink.fact("seed.preparation_time_us", p.preparation_us());
  sink.fact("seed.pipeline_time_sum_ns", number(p.kernels.time));
  sink.fact("seed.pipeline_timeline_ns", number(p.kernels.timeline()));
  p.kernels.timeline() == 0 ? sink.skip("seed.pipeline_efficiency", "the kernels' timeline is 0")
                            : sink.fact("seed.pipeline_efficiency", p.efficiency());
}

void emit_facts(const Script& script, Interval host_window, ReportSink& sink) {
  sink.fact("seed.window_start_ns", number(host_window.start));
  sink.fact("seed.window_duration_ns", number(host_window.end - host_window.start));
  emit_kernels(script.kernels, sink);
  emit_operations(script, sink);
  for (const auto& [direction, copies] : script.copies) emit_copies(direction, copies, sink);
  emit_pipeline(script.pipeline, sink);
}

}  // namespace

class LatencyText {
 public:
  static constexpr std::string_view kSummary =
      "The numbers and the text output of the published latency script for every profile, to compare with published "
      "values.";
  static constexpr ColumnId kWants[] = {col::kernels,        col::copies, col::copy_bytes,
                                        col::copy_direction, col::sets,   col::calls};
  static constexpr OptionSpec kOptions[] = {
      {"gpu_label", OptionType::kText, "gpu", "Label shown as GPU ID."},
      {"numa_label", OptionType::kText, "numa", "Label shown as NUMA Node."},
      {"depth_label", OptionType::kText, "depth", "Label shown as ViT Depth; 0 is a test of transfers only."},
      {"patch_label", OptionType::kText, "patch", "Label shown as ViT Patch Size."},
      {"dim_label", OptionType::kText, "dim", "Label shown as ViT Dimension."},
  };
  static constexpr std::span<const MetricSpec> kProduces = kMetrics;
  static constexpr std::span<const AttributeSpec> kAttributes = kAttributeSpecs;
  /// Used in the section CORRECTED; a metric without a value has no line there.
  static constexpr Str kConsumes[] = {
      "?window.duration_ns", "?gpu.kernel_busy_ratio",     "?gpu.busy_ratio",
      "?gpu.idle_ns",        "?gpu.overlap_ratio",         "?gap.count",
      "?gap.time_sum_ns",    "?launch.queue_time_mean_ns", "?copy.bandwidth_bytes_per_s",
      "?graph.opaque_ratio"};

  explicit LatencyText(const Options& options)
      : labels_{std::string(options.text("gpu_label")), std::string(options.text("numa_label")),
                std::string(options.text("depth_label")), std::string(options.text("patch_label")),
                std::string(options.text("dim_label"))} {}

  void analyze(const Report& report, ReportSink& sink) const {
    if (report.kernels == nullptr || report.kernels->rows == 0) return sink.skip("seed.*", "there are no kernel rows");
    const Interval host_window{report.window->host_start, report.window->host_end};
    emit_facts(script_numbers(report, host_window), host_window, sink);
    if (report.window->named != 0) sink.attribute(kWindowName, report.window->name);
  }

  void conclude(const Study& study, StudySink& sink) const {
    const StudyView view(study);
    for (std::size_t report = 0; report < view.report_count(); ++report) {
      if (view.is_noise(report)) continue;
      sink.text_file(static_cast<Row>(report), "_performance_analysis.txt", text_of(view, report, labels_));
    }
  }

 private:
  HeaderLabels labels_;
};

}  // namespace assay::latency

ASSAY_PLUGIN("latency_text", "1.0.0", assay::latency::LatencyText);
