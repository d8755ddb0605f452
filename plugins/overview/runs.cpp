#include "runs.hpp"

#include <algorithm>

namespace assay::overview {
namespace {

double of_name(const Shares& shares, std::string_view name) {
  const auto at = std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.first == name; });
  return at == shares.end() ? 0 : at->second;
}

Run run_of(const StudyView& view, std::size_t report) {
  Run run;
  run.report = report;
  run.path = view.path(report);
  const Facts facts(view, report, &run.evidence);
  run.window_ns = facts.value("window.duration_ns");
  run.busy = facts.value("gpu.busy_ratio");
  run.kernels = facts.value("kernel.count");
  run.kernel_mean_ns = facts.value("kernel.time_mean_ns");
  run.launch_interval_ns = facts.value("launch.interval_median_ns");
  run.bound = facts.value("launch.bound_ratio");
  run.opaque = facts.value("graph.opaque_ratio");
  run.overlap = facts.value("gpu.overlap_ratio");
  run.data_loader = facts.value("step.category_time_ratio", "category=dataloader");
  run.tensor_yes = facts.value("tensor_core.time_ratio", "uses=yes");
  run.tensor_unknown = facts.value("tensor_core.time_ratio", "uses=unknown");
  run.classes = facts.positive("kernel_class.time_ratio", "class");
  if (const auto window = facts.value("idle.window_ns"); window && *window > 0) {
    run.idle = facts.positive("idle.time_ns", "cause");
    for (auto& [cause, time] : run.idle) time /= *window;
  }
  for (const char* direction : {"direction=h2d", "direction=d2h"}) {
    const auto time = facts.value("copy.time_sum_ns", direction);
    if (time && run.window_ns && *run.window_ns > 0) run.copies = run.copies.value_or(0) + *time / *run.window_ns;
  }
  for (const auto& [kind, count] : facts.by("sync.count", "kind")) run.sync_calls = run.sync_calls.value_or(0) + count;
  run.counted_kernels = facts.value("ncu.profiled_count");
  const auto exposed = facts.value("comm.exposed_ns"), waited = facts.value("rank.wait_exposed_ns");
  if (exposed && waited && *exposed > 0) run.waiting = *waited / *exposed;
  run.gains = facts.by("replay.gain_ratio", "change");
  for (const auto& [change, one] : facts.by("replay.gain_none", "change")) run.in_vain.push_back(change);
  run.fingerprint = facts.attribute("fingerprint");
  run.unread = facts.attribute("unread"), run.lost_launches = facts.attribute("lost_launches");
  return run;
}

}  // namespace

double Run::idle_for(std::string_view cause) const { return of_name(idle, cause); }
double Run::share_of(std::string_view kernel_class) const { return of_name(classes, kernel_class); }

std::optional<double> Run::gain_of(std::string_view change) const {
  for (const auto& [known, gain] : gains) {
    if (known == change) return gain;
  }
  if (std::find(in_vain.begin(), in_vain.end(), change) != in_vain.end()) return 0;
  return std::nullopt;
}

std::vector<Run> runs_of(const StudyView& view) {
  std::vector<Run> runs;
  for (const std::size_t report : view.participants()) runs.push_back(run_of(view, report));
  return runs;
}

Limit limit_of(const Run& run, const Thresholds& thresholds) {
  if (!run.busy && !run.kernels && run.counted_kernels) return Limit::kCounters;
  if (!run.busy) return run.kernels == 0.0 ? Limit::kNoWork : Limit::kUnknown;
  if (*run.busy <= 0) return Limit::kNoWork;
  if (*run.busy >= thresholds.busy) return Limit::kDevice;
  const double for_launches = run.idle_for("launch") + run.idle_for("host") + run.idle_for("api");
  const double for_others = run.idle_for("sync") + run.idle_for("queued") + run.idle_for("tail");
  const bool short_kernels =
      run.kernel_mean_ns && run.launch_interval_ns && *run.kernel_mean_ns < *run.launch_interval_ns;
  // Where nothing tells how many kernels waited for their launch, what the device waited for is said and no more.
  const bool waited = run.bound && *run.bound >= thresholds.bound;
  if (short_kernels && waited && for_launches >= for_others) return Limit::kLaunches;
  return run.idle.empty() ? Limit::kIdle : Limit::kWaiting;
}

}  // namespace assay::overview
