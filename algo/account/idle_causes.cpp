#include "algo/account/idle_causes.hpp"

#include <algorithm>

namespace assay::account {
namespace {

/// Work that starts this soon after the least launch latency was waiting for nothing else.
constexpr std::int64_t kUsualLaunch = 10'000;  // ns
/// A stream that ends this shortly before its next work is between queued work.
constexpr std::int64_t kBackToBack = 10'000;  // ns

bool launches(CallKind kind) { return kind == CallKind::kKernelLaunch || kind == CallKind::kGraphLaunch; }

}  // namespace

InnermostRows innermost_ranges(const Report& report) {
  return {report.ranges, static_cast<std::size_t>(report.threads->rows), [&](std::size_t r) {
            const std::string_view name = report.string(report.ranges->name[r]);
            return name != "Holding GIL" && name != "Waiting for GIL";
          }};
}

IdleCauses::IdleCauses(const Report& report, std::span<const step::Step> steps, std::uint32_t process)
    : report_(report),
      steps_(steps),
      ranges_(innermost_ranges(report)),
      stated_(report.causes, static_cast<std::size_t>(report.threads->rows), [](std::size_t) { return true; }),
      functions_(report),
      outer_calls_(static_cast<std::size_t>(report.threads->rows)) {
  if (!steps.empty()) thread_ = steps.front().thread;
  std::vector<std::int64_t> reach(outer_calls_.size(), std::numeric_limits<std::int64_t>::min());
  for (std::size_t c = 0; report.calls != nullptr && c < report.calls->rows; ++c) {
    const std::uint32_t thread = report.calls->thread[c];
    if (report.calls->start[c] < reach[thread]) continue;
    reach[thread] = report.calls->end[c];
    outer_calls_[thread].push_back(static_cast<Row>(c));
  }
  for (std::size_t o = 0; report.overheads != nullptr && o < report.overheads->rows; ++o) {
    if (process == step::kAnyProcess || report.overheads->process[o] == process)
      profiler_.push_back({report.overheads->start[o], report.overheads->end[o]});
  }
  profiler_ = merge(std::move(profiler_));
}

void IdleCauses::add(Interval time, const DeviceWork* next, std::int64_t least_lag, std::vector<Idle>& parts) const {
  if (next != nullptr && (next->call < 0 || report_.calls == nullptr)) {
    parts.push_back({.cause = IdleCause::kUnknown, .time = time});
    return;
  }
  const auto add_without_profiler = [&](Interval part) {
    if (part.end <= part.start) return;
    if (next == nullptr) return add_before_launch(part, thread_, kNone, parts);
    const CallTable& calls = *report_.calls;
    const Row call = next->call;
    if (calls.end[call] <= part.start) {
      const IdleCause cause = next->start - calls.start[call] <= least_lag + kUsualLaunch ? IdleCause::kLaunch
                              : part.end - next->stream_free < kBackToBack                ? IdleCause::kQueued
                                                                                          : IdleCause::kStream;
      parts.push_back({.cause = cause, .time = part, .launch = call});
      return;
    }
    const std::int64_t launch = std::clamp(calls.start[call], part.start, part.end);
    if (launch > part.start) add_before_launch({part.start, launch}, calls.thread[call], call, parts);
    if (launch < part.end) parts.push_back({.cause = IdleCause::kLaunch, .time = {launch, part.end}, .launch = call});
  };
  std::int64_t from = time.start;
  for (auto own = std::ranges::upper_bound(profiler_, time.start, {}, &Interval::end);
       own != profiler_.end() && own->start < time.end; ++own) {
    const Interval part{std::max(from, own->start), std::min(own->end, time.end)};
    add_without_profiler({from, part.start});
    parts.push_back({.cause = IdleCause::kProfiler, .time = part, .launch = next == nullptr ? kNone : next->call});
    from = part.end;
  }
  add_without_profiler({from, time.end});
}

/// What the profile states of the thread goes before what its calls and ranges suggest.
void IdleCauses::add_before_launch(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const {
  stated_.each_in(thread, time, [&](Interval part, Row cause) {
    if (cause == kNone) return add_calls(part, thread, launch, parts);
    parts.push_back({.cause = IdleCause::kStated, .time = part, .launch = launch, .stated = cause});
  });
}

void IdleCauses::add_calls(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const {
  const std::vector<Row>& outer = outer_calls_[thread];
  std::int64_t from = time.start;
  if (report_.calls != nullptr) {
    const CallTable& calls = *report_.calls;
    auto next = std::ranges::partition_point(outer, [&](Row c) { return calls.end[c] <= time.start; });
    for (; next != outer.end() && calls.start[*next] < time.end; ++next) {
      const Interval part{std::max(from, calls.start[*next]), std::min(calls.end[*next], time.end)};
      if (part.end <= part.start) continue;
      if (part.start > from) add_host_code({from, part.start}, thread, launch, parts);
      const IdleCause cause = launches(calls.kind[*next]) ? IdleCause::kCalls : IdleCause::kBlocked;
      parts.push_back({.cause = cause, .time = part, .launch = launch, .blocked = *next});
      from = part.end;
    }
  }
  if (from < time.end) add_host_code({from, time.end}, thread, launch, parts);
}

/// By the innermost range and function of the thread; where it has none, as autograd's, of the steps' thread.
void IdleCauses::add_host_code(Interval time, std::uint32_t thread, Row launch, std::vector<Idle>& parts) const {
  const auto add_in = [&](Interval part, Row range) { add_functions(part, thread, launch, range, parts); };
  ranges_.each_in(thread, time, [&](Interval part, Row range) {
    if (range != kNone || thread == thread_) return add_in(part, range);
    ranges_.each_in(thread_, part, add_in);
  });
}

void IdleCauses::add_functions(Interval time, std::uint32_t thread, Row launch, Row range,
                               std::vector<Idle>& parts) const {
  const auto add_in = [&](Interval part, Row stack) {
    add_outside(
        part, {.time = part, .launch = launch, .range = range, .function = functions_.owner_of(stack), .stack = stack},
        parts);
  };
  functions_.each_in(thread, time, [&](Interval part, Row stack) {
    if (stack >= 0 || thread == thread_) return add_in(part, stack);
    functions_.each_in(thread_, part, add_in);
  });
}

/// What lies outside of every step's range is time between steps.
void IdleCauses::add_outside(Interval time, Idle part, std::vector<Idle>& parts) const {
  auto step = std::ranges::partition_point(steps_, [&](const step::Step& s) { return s.host.end <= time.start; });
  for (std::int64_t from = time.start; from < time.end;) {
    while (step != steps_.end() && step->host.end <= from) ++step;
    const bool inside = step != steps_.end() && step->host.start <= from;
    const std::int64_t until = step == steps_.end() ? time.end : inside ? step->host.end : step->host.start;
    part.time = {from, std::min(until, time.end)};
    part.cause = inside ? IdleCause::kHost : IdleCause::kBetween;
    if (part.time.end > part.time.start) parts.push_back(part);
    from = part.time.end;
  }
}

}  // namespace assay::account
