#include "facts.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "assay/algo/iterations.hpp"
#include "assay/algo/summary.hpp"
#include "assay/words.hpp"

namespace assay::summary {
namespace {

std::string counted(std::int64_t n, const char* what) {
  return filled("{} {}{}", {std::to_string(n), what, n == 1 ? "" : "s"});
}

/// For a table that is null.
std::optional<std::string> missing_rows(const Report& report, std::int64_t calls_that_make_rows, const char* call,
                                        const char* table) {
  if (report.calls == nullptr) return std::string("neither a ") + table + " table nor API calls were recorded";
  if (calls_that_make_rows == 0) return std::nullopt;
  return filled("the window has {} but the profile has no {} table", {counted(calls_that_make_rows, call), table});
}

double number(std::int64_t value) { return static_cast<double>(value); }

/// Mean of `of(device)` over the devices for which `counts(device)`; empty if there are none.
template <class Counts, class Of>
std::optional<double> mean_over(const std::vector<DeviceBusy>& devices, Counts counts, Of of) {
  double sum = 0;
  std::size_t n = 0;
  for (const DeviceBusy& d : devices) {
    if (!counts(d)) continue;
    sum += number(of(d));
    ++n;
  }
  return n == 0 ? std::nullopt : std::optional<double>(sum / static_cast<double>(n));
}

template <class Of>
std::int64_t sum_over(const std::vector<DeviceBusy>& devices, Of of) {
  std::int64_t sum = 0;
  for (const DeviceBusy& d : devices) sum += of(d);
  return sum;
}

}  // namespace

Coverage coverage_of(const Report& report, const CallSummary& calls, const KernelSummary& kernels) {
  Coverage out;
  if (report.calls == nullptr) out.calls = "no API calls were recorded";
  if (report.kernels == nullptr)
    out.kernels = missing_rows(report, calls.launches(), "kernel or graph launch call", "kernel");
  if (report.copies == nullptr) out.copies = missing_rows(report, calls.copy_calls, "copy call", "copy");
  if (report.graphs == nullptr) {
    if (kernels.from_graphs == 0)
      out.opaque = out.graphs = missing_rows(report, calls.graph_launches, "graph launch call", "graph trace");
  }
  const bool kernels_lost = report.graphs == nullptr && out.kernels.has_value();
  if (kernels_lost) {
    out.gpu = out.kernels;
  } else if (report.graphs == nullptr && report.calls != nullptr && out.opaque) {
    out.gpu = out.opaque;
  }
  return out;
}

void emit_node_launches(const Report& report, ReportSink& sink) {
  const KernelTable& kernels = *report.kernels;
  const bool numbered = kernels.graph_node.present();
  std::unordered_map<Row, std::int64_t> least_node;  // by launching call: the smallest node id, which identifies the
                                                     // graph in every launch
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    const Row call = kernels.call[k];
    if (kernels.membership[k] != Membership::kInside || call < 0) continue;
    if (report.calls->kind[call] != CallKind::kGraphLaunch) continue;
    const std::int64_t node = numbered ? kernels.graph_node[k] : 0;
    const auto [at, is_new] = least_node.try_emplace(call, node);
    if (!is_new) at->second = std::min(at->second, node);
  }
  sink.fact("graph.node_launch_count", number(static_cast<std::int64_t>(least_node.size())));
  if (!numbered) return sink.skip("graph.node_graph_count", "kernels have no numbers of graph nodes");
  std::unordered_set<std::int64_t> graphs;
  for (const auto& [call, node] : least_node) graphs.insert(node);
  sink.fact("graph.node_graph_count", number(static_cast<std::int64_t>(graphs.size())));
}

void emit_kernels(KernelSummary& kernels, ReportSink& sink) {
  sink.fact("kernel.count", number(kernels.count()));
  sink.fact("kernel.time_sum_ns", number(kernels.time));
  sink.ratio("kernel.time_mean_ns", number(kernels.time), number(kernels.count()), "kernel.count");
  if (kernels.count() == 0) return sink.skip("kernel.time_median_ns", "kernel.count is 0");
  sink.fact("kernel.time_median_ns", median_in_place(kernels.durations));
}

void emit_launches(CallSummary& calls, const KernelSummary& kernels, ReportSink& sink) {
  sink.fact("launch.count", number(calls.launches()));
  sink.ratio("launch.api_time_mean_ns", number(calls.launch_time), number(calls.launches()), "launch.count");
  if (kernels.count() > 0) {
    sink.fact("launch.queued_count", number(kernels.queued));
    sink.ratio("launch.queue_time_mean_ns", number(kernels.queue_time), number(kernels.queued), "launch.queued_count");
  }
  if (calls.launch_intervals.empty())
    return sink.skip("launch.interval_median_ns", "no thread launches twice in the window");
  sink.fact("launch.interval_median_ns", median_in_place(calls.launch_intervals));
}

void emit_syncs(const CallSummary& calls, ReportSink& sink) {
  for (std::size_t kind = 0; kind < kSyncNames.size(); ++kind) {
    sink.fact("sync.count", number(calls.syncs[kind].count), {{"kind", kSyncNames[kind]}});
    sink.fact("sync.host_time_ns", number(calls.syncs[kind].time), {{"kind", kSyncNames[kind]}});
  }
}

void emit_busy(const std::vector<DeviceBusy>& devices, std::int64_t window, ReportSink& sink) {
  const auto share = [&](std::string_view metric, std::optional<double> busy, std::string_view none) {
    busy ? sink.ratio(metric, *busy, number(window), "window.duration_ns") : sink.skip(metric, none);
  };
  share("gpu.kernel_busy_ratio",
        mean_over(
            devices, [](auto& d) { return d.ran_kernels; }, [](auto& d) { return d.kernels; }),
        "no device ran a kernel or graph launch of the window");
  share("gpu.busy_ratio",
        mean_over(
            devices, [](auto& d) { return d.ran_own; }, [](auto& d) { return d.own; }),
        "no device ran work of the window");
  const auto idle = mean_over(devices, [](auto&) { return true; }, [&](auto& d) { return window - d.all; });
  idle ? sink.fact("gpu.idle_ns", *idle) : sink.skip("gpu.idle_ns", "no device ran anything in the window");
  sink.fact("gpu.foreign_busy_ns", number(sum_over(devices, [](auto& d) { return d.foreign; })));
  sink.ratio("gpu.overlap_ratio", number(sum_over(devices, [](auto& d) { return d.overlap(); })),
             number(sum_over(devices, [](auto& d) { return d.copies; })), "time with a copy");
}

void emit_parts(const std::vector<PartBusy>& parts, const Report& report, ReportSink& sink) {
  const auto id_of = [&](std::uint32_t process) {
    const bool known = report.processes != nullptr && process < report.processes->rows;
    const std::int64_t id = known ? report.processes->id[process] : kNone;
    return std::to_string(id == kNone ? std::int64_t{process} : id);
  };
  std::set<std::uint32_t> active, idle;
  for (const PartBusy& part : parts) active.insert(part.process);
  const auto add_host = [&](const auto* table) {
    for (std::size_t row = 0; table != nullptr && row < table->rows; ++row) {
      const std::uint32_t process = report.threads->process[table->thread[row]];
      if (!active.contains(process)) idle.insert(process);
    }
  };
  add_host(report.calls);
  add_host(report.ranges);
  if (parts.size() + idle.size() < 2) return;
  for (const PartBusy& part : parts) {
    const Dims dims{{"process", id_of(part.process)}, {"device", std::to_string(part.device)}};
    sink.fact("gpu.part_busy_ns", number(part.busy), dims);
    sink.fact("gpu.part_work_ns", number(part.work), dims);
    sink.fact("gpu.part_kernel_count", number(part.kernels), dims);
  }
  constexpr std::size_t kMaxNamed = 8;
  std::vector<std::string> named;
  for (const std::uint32_t process : idle) {
    if (named.size() < kMaxNamed) named.push_back(id_of(process));
  }
  if (idle.size() > kMaxNamed) named.push_back(std::to_string(idle.size() - kMaxNamed) + " more");
  if (!named.empty()) sink.attribute(kIdleProcesses, listed(named));
}

double opaque_ratio(const std::vector<DeviceBusy>& devices) {
  const std::int64_t busy = sum_over(devices, [](auto& d) { return d.own; });
  return busy == 0 ? 0 : number(sum_over(devices, [](auto& d) { return d.opaque; })) / number(busy);
}

void emit_graphs(const Work& graphs, Interval window, ReportSink& sink) {
  std::int64_t count = 0, time = 0;
  for (std::size_t row = 0; row < graphs.rows; ++row) {
    if (!graphs.inside(row)) continue;
    ++count;
    time += length(clipped(graphs.start[row], graphs.end[row], window));
  }
  sink.fact("graph.launch_count", number(count));
  sink.fact("graph.time_sum_ns", number(time));
}

void emit_copies(std::array<CopySummary, kDirections> copies, ReportSink& sink) {
  if (std::ranges::all_of(copies, [](const CopySummary& c) { return c.count == 0; })) sink.fact("copy.count", 0);
  for (std::size_t d = 0; d < kDirections; ++d) {
    CopySummary& c = copies[d];
    if (c.count == 0) continue;
    const Dim direction{"direction", direction_name(static_cast<CopyDirection>(d))};
    sink.fact("copy.count", number(c.count), {direction});
    sink.fact("copy.time_sum_ns", number(c.time), {direction});
    if (c.sizes.size() != static_cast<std::size_t>(c.count)) {
      sink.skip("copy.bytes", "not every copy in direction " + std::string(direction.value.view()) + " has a size");
      continue;
    }
    sink.fact("copy.bytes", number(c.bytes), {direction});
    sink.ratio("copy.bandwidth_bytes_per_s", number(c.bytes) * 1e9, number(c.whole_time), "time of the copies",
               {direction});
    sink.fact("copy.bytes_per_op_median", median_in_place(c.sizes), {direction});
  }
}

void emit_gaps(const GapSummary& gaps, ReportSink& sink) {
  for (std::size_t t = 0; t < kGapThresholds.size(); ++t) {
    sink.fact("gap.count", number(gaps.over[t]), {{"over", kGapThresholds[t].name}});
  }
  sink.fact("gap.time_sum_ns", number(gaps.time));
  sink.fact("gap.max_ns", number(gaps.longest));
}

void emit_iterations(const IterationSummary& iterations, const Coverage& coverage, ReportSink& sink) {
  if (iterations.outside_window > 0) {
    sink.emit_issue("iterations_outside_window", Severity::kInfo, iterations.outside_window,
                    "Iterations that are not completely inside the window are left out of iteration metrics.");
  }
  if (iterations.overlapping > 0) {
    sink.emit_issue("iterations_overlap", Severity::kWarning, iterations.overlapping,
                    "Iterations overlap in time, so only work launched from their own thread is counted for them.");
  }
  sink.fact("iteration.count", static_cast<double>(iterations.costs.size()));
  if (iterations.costs.empty())
    return sink.skip("iteration.*", "no iteration lies inside the window", SkipCause::kNoIterations);
  const auto each = [&](auto of) {
    std::vector<double> samples;
    for (const IterationCost& cost : iterations.costs) samples.push_back(number(of(cost)));
    return samples;
  };
  emit_median(sink, "iteration.host_ns", each([](auto& c) { return c.host; }));
  emit_median(sink, "iteration.sync_ns", each([](auto& c) { return c.sync; }));
  if (coverage.kernels) {
    sink.skip("iteration.kernel_count", *coverage.kernels);
  } else {
    emit_median(sink, "iteration.kernel_count", each([](auto& c) { return c.kernels; }));
    emit_median(sink, "iteration.other_thread_kernels", each([](auto& c) { return c.other_thread_kernels; }));
  }
  if (coverage.gpu) return sink.skip("iteration.gpu_*", *coverage.gpu);
  emit_median(sink, "iteration.gpu_busy_ns", each([](auto& c) { return c.gpu_busy; }));
  std::vector<double> spans;
  for (const IterationCost& cost : iterations.costs) {
    if (cost.worked) spans.push_back(number(cost.gpu_span()));
  }
  emit_median(sink, "iteration.gpu_span_ns", spans, "no iteration launches GPU work");
  emit_median(sink, "iteration.period_ns", periods(iterations), "no two successive iterations launch GPU work");
}

}  // namespace assay::summary
