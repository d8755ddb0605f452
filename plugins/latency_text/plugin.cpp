// The published latency script's text of every report, in its layout and with its numbers, for those who compare with
// them. Nothing else rests on these numbers.
#include "assay/plugin.hpp"

#include "facts.hpp"
#include "metrics.hpp"
#include "text.hpp"

namespace assay::latency {

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
  /// Of the section CORRECTED; a metric without a value has no line in it.
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
