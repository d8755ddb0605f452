#include "runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assay/algo/dims.hpp"
#include "assay/algo/summary.hpp"

namespace assay::overview {
namespace {

double share_by_name(const Shares& shares, std::string_view name) {
  const auto at = std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.first == name; });
  return at == shares.end() ? 0 : at->second;
}

/// Where a step's time went: its shares stand for those of the capture, in which other things happen too.
void read_account(const StudyView& view, const Facts& facts, Run& run) {
  const Shares parts = facts.by("step_items.part_ratio", "part");
  const std::string word = facts.attribute("step.word");
  if (parts.empty() || word.empty() || word == "capture" || word == "window") return;
  run.step_word = word;
  run.left_out = facts.attribute("step.left_out");
  run.step_ns = facts.value("step_items.time_ns");
  const std::string step = facts.attribute("step.name");
  view.each_fact(static_cast<Row>(run.report), "range.host_ns.plain", [&](std::size_t fact) {
    const std::string path = dim_value(view.study().facts->dims[fact], "path").value_or("");
    if (!step.empty() && path.substr(path.rfind('/') + 1) == step) run.plain_ns = mean(view.samples(fact));
  });
  const auto part = [&](const char* name) { return share_by_name(parts, name); };
  run.exposed = part("communication");
  run.busy = part("kernel") + part("graph") + part("communication");
  run.idle = facts.positive("step_items.idle_ratio", "cause");
  run.long_gaps = facts.positive("step_items.long_idle_ratio", "cause");
  for (auto& [cause, share] : run.idle) {
    if (cause == "queued") cause = kBackToBack;  // idle_causes calls any wait of queued work so
  }
  view.each_fact(static_cast<Row>(run.report), "step_items.idle_place_ratio", [&](std::size_t fact) {
    const std::string_view dims = view.study().facts->dims[fact];
    run.places.push_back({dim_value(dims, "cause").value_or(""), dim_value(dims, "place").value_or(""),
                          view.study().facts->value[fact]});
  });
  std::ranges::stable_sort(run.places, [](const auto& a, const auto& b) { return a.share > b.share; });
  if (const double copies = part("copy") + part("set"); copies > 0) {
    run.idle.emplace_back("copies", copies);
    std::ranges::stable_sort(run.idle, [](const auto& a, const auto& b) { return a.second > b.second; });
  }
}

void add_parts(const StudyView& view, Run& run) {
  const Facts facts(view, run.report);
  view.each_fact(static_cast<Row>(run.report), "gpu.part_busy_ns", [&](std::size_t fact) {
    const std::string_view dims = view.study().facts->dims[fact];
    run.parts.push_back({dim_value(dims, "process").value_or("?"), dim_value(dims, "device").value_or("?"),
                         view.study().facts->value[fact], facts.number("gpu.part_work_ns", dims),
                         facts.number("gpu.part_kernel_count", dims)});
  });
}

void add_memory_facts(const Facts& facts, Run& run) {
  run.memory = facts.attribute("memory.answer");
  run.peak_bytes = facts.value("memory.peak_bytes");
  run.in_use_bytes = facts.value("memory.in_use_bytes");
}

void read_levers(const Facts& facts, Run& run) {
  // What steps gain is what the compiler takes of them.
  if (run.compiled() >= kMostlyCompiled) return;
  const Shares gains = facts.by("replay.gain_ratio", "change");
  run.replayed = !gains.empty() || !facts.by("replay.gain_none", "change").empty();
  run.replay_error = facts.value("replay.drift_ratio").value_or(0);
  for (const auto& [change, share] : gains) {
    const auto lever = lever::lever_of(dim_value("change=" + change, "change").value_or(""));
    if (!lever) continue;
    const bool at_least = facts.value("replay.gain_at_least", "change=" + change).has_value();
    run.levers.push_back({*lever, share, at_least});
  }
  lever::sort_levers(run.levers);
}

Run run_of(const StudyView& view, std::size_t report) {
  Run run;
  run.report = report;
  run.path = view.path(report);
  const Facts facts(view, report, &run.evidence);
  run.measured = view.metric("gpu.busy_ratio") || view.metric("kernel.count");
  run.window_ns = facts.value("window.duration_ns");
  add_parts(view, run);
  run.idle_processes = facts.attribute("idle_processes");
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
    run.long_gaps = facts.positive("idle.long_gap_ns", "cause");
    for (Shares* shares : {&run.idle, &run.long_gaps}) {
      for (auto& [cause, time] : *shares) time /= *window;
    }
    if (run.window_ns && *run.window_ns > 0) run.devices = std::max(1.0, std::round(*window / *run.window_ns));
  }
  run.compile_ns = facts.value("compile.time_ns");
  run.capture_ns = facts.value("compile.capture_ns");
  run.long_gap_count = facts.value("idle.long_gap_count");
  for (const auto& [range, time] : facts.by("idle.long_gap_range_ns", "range"))
    run.long_gap_range = dim_value("range=" + range, "range").value_or(range);
  for (const auto& [call, time] : facts.by("idle.long_gap_call_ns", "call"))
    run.long_gap_call = dim_value("call=" + call, "call").value_or(call);
  run.exposed = facts.value("step.category_time_ratio", "category=communication");
  for (const char* direction : {"direction=h2d", "direction=d2h"}) {
    const auto time = facts.value("copy.time_sum_ns", direction);
    if (time && run.window_ns && *run.window_ns > 0)
      run.copies = run.copies.value_or(0) + *time / *run.window_ns / run.devices;
  }
  // Sums of durations: overlapping copies count twice, but together they take no longer than the device is busy.
  if (run.copies) run.copies = std::min(*run.copies, run.busy.value_or(1));
  for (const auto& [kind, count] : facts.by("sync.count", "kind")) run.sync_calls = run.sync_calls.value_or(0) + count;
  run.counted_kernels = facts.value("ncu.profiled_count");
  read_levers(facts, run);
  run.sms_active = facts.value("gpu.sm_active_ratio");
  run.tpot_ns = facts.value("serving.tpot_ns", "quantile=p50");
  if (!run.tpot_ns) run.tpot_ns = facts.value("serving.token_gap_ns", "quantile=p50");
  run.tokens_per_s = facts.value("serving.tokens_per_s");
  read_account(view, facts, run);
  add_memory_facts(facts, run);
  run.fingerprint = facts.attribute("fingerprint");
  run.unread = facts.attribute("unread");
  // Ranges that state compilation say more of a start than its phases.
  if (run.compiled() < kMostlyCompiled) run.start = facts.attribute("start.answer");
  run.lost_launches = facts.attribute("lost_launches");
  return run;
}

}  // namespace

double Run::idle_for(std::string_view cause) const { return share_by_name(idle, cause); }
double Run::waits_for_code_in(std::string_view place) const {
  double share = 0;
  for (const IdlePlace& one : places)
    share += one.place == place && (one.cause == "host" || one.cause == "between") ? one.share : 0;
  return share;
}

const IdlePlace* Run::place_of(std::string_view cause) const {
  const auto at = std::ranges::find(places, cause, &IdlePlace::cause);
  return at == places.end() || at->share < idle_for(cause) / 2 ? nullptr : &*at;
}
double Run::short_idle_for(std::string_view cause) const { return idle_for(cause) - share_by_name(long_gaps, cause); }
double Run::share_of(std::string_view kernel_class) const { return share_by_name(classes, kernel_class); }

std::vector<lever::Gain> Run::limiting() const {
  if (step_word.empty()) return {};
  if (!shared) return lever::limiting(levers, replay_error);
  std::vector<lever::Gain> out;
  for (const lever::Lever& lever : *shared) {
    const auto own = std::ranges::find(levers, lever, &lever::Gain::lever);
    if (own != levers.end()) out.push_back(*own);
  }
  return out;
}

namespace {

/// Repeats of one program share one diagnosis: that of their mean gains.
void share_levers(std::vector<Run>& runs) {
  std::map<std::string, std::vector<Run*>> repeats;
  for (Run& run : runs) {
    if (!run.fingerprint.empty() && run.replayed && !run.step_word.empty()) repeats[run.fingerprint].push_back(&run);
  }
  for (const auto& [print, members] : repeats) {
    if (members.size() < 2) continue;
    std::vector<lever::Gain> means;
    double error = 0;
    for (const Run* run : members) {
      error = std::max(error, run->replay_error);
      for (const lever::Gain& gain : run->levers) {
        auto known = std::ranges::find(means, gain.lever, &lever::Gain::lever);
        if (known == means.end()) known = means.insert(means.end(), {.lever = gain.lever});
        known->share += gain.share / static_cast<double>(members.size());
      }
    }
    lever::sort_levers(means);
    std::vector<lever::Lever> shared;
    for (const lever::Gain& gain : lever::limiting(means, error)) shared.push_back(gain.lever);
    for (Run* run : members) run->shared = shared;
  }
}

}  // namespace

std::vector<Run> runs_of(const StudyView& view) {
  std::vector<Run> runs;
  const std::vector<std::optional<OtherRanks>> others = other_ranks_of(view, view.participants());
  for (const std::size_t report : view.participants()) {
    runs.push_back(run_of(view, report));
    runs.back().others = others[report];
    // A dump or log without a profile has no time to break down: its own analyzer draws its page.
    const bool is_log = view.attribute(report, "hang.call") || view.attribute(report, "torch_compile.answer");
    if (!runs.back().busy && !runs.back().kernels && is_log) runs.pop_back();
  }
  share_levers(runs);
  return runs;
}

Limit limit_of(const Run& run, const Thresholds& thresholds) {
  if (!run.busy && !run.kernels && run.counted_kernels) return Limit::kCounters;
  const bool no_kernels = !run.kernels || *run.kernels == 0;  // a memory snapshot does not count them
  if (!run.busy && no_kernels && !run.memory.empty()) return Limit::kMemory;
  if (!run.busy) return run.kernels == 0.0 ? Limit::kNoWork : Limit::kUnknown;
  if (*run.busy <= 0) return Limit::kNoWork;
  const double longest = run.idle.empty() ? 0 : run.idle.front().second;
  const bool lever = !run.limiting().empty();
  if (run.others && !run.is_awaited() && run.others->lost >= std::max(thresholds.share, longest)) return Limit::kRanks;
  if (*run.busy >= thresholds.busy) {
    const bool communicates =
        !run.is_awaited() && !run.hides_kernels() && !run.classes.empty() && run.classes.front().first == kCommunicates;
    if (communicates) return Limit::kCommunication;
    if (lever) return Limit::kLever;
    return run.sms_active && *run.sms_active < thresholds.active ? Limit::kPartOfDevice : Limit::kDevice;
  }
  if (run.compiled() >= kMostlyCompiled) return run.idle.empty() ? Limit::kIdle : Limit::kWaiting;
  const double for_launches = run.idle_for_launches();
  double for_others = 0;
  for (const char* cause : {"sync", "queued", kBackToBack, "stream", "tail", "copies", "profiler", "between"})
    for_others += run.idle_for(cause);
  for (const char* cause : {"launch", "calls", "host", "api"})
    for_others = std::max(for_others, run.idle_for(cause) - run.short_idle_for(cause));
  if (run.exposed && *run.exposed > thresholds.communication && *run.exposed >= std::max(longest, for_launches))
    return Limit::kCommunication;
  constexpr double kLaunchesBind = 1e6;  // ns between launches: a longer pause is no matter of launching
  const bool short_kernels = run.kernel_mean_ns && run.launch_interval_ns && *run.launch_interval_ns < kLaunchesBind &&
                             *run.kernel_mean_ns < *run.launch_interval_ns;
  // If it is unknown how many kernels waited for their launch, only what the device waited for is stated.
  const bool waited = run.bound && *run.bound >= thresholds.bound;
  if (lever) return Limit::kLever;
  const bool in_vain = run.replayed && !run.step_word.empty();  // no launch lever stands out
  if (short_kernels && waited && !in_vain && for_launches >= for_others) return Limit::kLaunches;
  if (run.idle.empty()) return Limit::kIdle;
  return *run.busy >= kMostlyBusy && longest < thresholds.share ? Limit::kDevice : Limit::kWaiting;
}

}  // namespace assay::overview
