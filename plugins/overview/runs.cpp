#include "runs.hpp"

#include <algorithm>

namespace assay::overview {
namespace {

double of_name(const std::vector<std::pair<std::string, double>>& shares, std::string_view name) {
  const auto at = std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.first == name; });
  return at == shares.end() ? 0 : at->second;
}

void longest_first(std::vector<std::pair<std::string, double>>& shares) {
  std::erase_if(shares, [](const auto& s) { return s.second <= 0; });
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
}

/// Takes the facts of one report.
class Facts {
 public:
  Facts(const StudyView& view, Run& run) : view_(view), run_(run), row_(static_cast<Row>(run.report)) {}

  std::optional<double> value(std::string_view metric, std::string_view dims = {}) {
    const auto fact = view_.fact(row_, metric, dims);
    if (!fact) return std::nullopt;
    run_.evidence.push_back(static_cast<std::int64_t>(*fact));
    return view_.study().facts->value[*fact];
  }

  /// Every fact of a metric with the one dim `key`, as (its value, the fact's).
  std::vector<std::pair<std::string, double>> by(std::string_view metric, std::string_view key) {
    std::vector<std::pair<std::string, double>> found;
    view_.each_fact(row_, metric, [&](std::size_t fact) {
      const std::string_view dims = view_.study().facts->dims[fact].view();
      if (!dims.starts_with(key) || dims.find(';') != std::string_view::npos) return;
      run_.evidence.push_back(static_cast<std::int64_t>(fact));
      found.emplace_back(dims.substr(key.size() + 1), view_.study().facts->value[fact]);
    });
    return found;
  }

 private:
  const StudyView& view_;
  Run& run_;
  Row row_;
};

Run run_of(const StudyView& view, std::size_t report) {
  Run run;
  run.report = report;
  run.path = view.path(report);
  Facts facts(view, run);
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
  run.classes = facts.by("kernel_class.time_ratio", "class");
  longest_first(run.classes);
  if (const auto window = facts.value("idle.window_ns"); window && *window > 0) {
    run.idle = facts.by("idle.time_ns", "cause");
    for (auto& [cause, time] : run.idle) time /= *window;
    longest_first(run.idle);
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
  run.fingerprint = view.attribute(report, "fingerprint").value_or("");
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
