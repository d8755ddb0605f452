#include "facts.hpp"

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

}  // namespace

void emit_facts(const Script& script, Interval host_window, ReportSink& sink) {
  sink.fact("seed.window_start_ns", number(host_window.start));
  sink.fact("seed.window_duration_ns", number(host_window.end - host_window.start));
  emit_kernels(script.kernels, sink);
  emit_operations(script, sink);
  for (const auto& [direction, copies] : script.copies) emit_copies(direction, copies, sink);
  emit_pipeline(script.pipeline, sink);
}

}  // namespace assay::latency
