#include "assay/algo/idle.hpp"

#include <algorithm>
#include <numeric>

namespace assay::idle {
namespace {

bool is_sync(CallKind kind) {
  return kind == CallKind::kDeviceSync || kind == CallKind::kStreamSync || kind == CallKind::kEventSync ||
         kind == CallKind::kBlockingCopy;
}

std::int64_t& at(CauseTimes& times, Cause cause) { return times[static_cast<std::size_t>(cause)]; }

}  // namespace

std::int64_t total(const CauseTimes& times) { return std::accumulate(times.begin(), times.end(), std::int64_t{0}); }

Cause largest(const CauseTimes& times) {
  return static_cast<Cause>(std::max_element(times.begin(), times.end()) - times.begin());
}

ThreadCalls::ThreadCalls(const CallTable* calls, std::size_t threads, const std::vector<Wait>& waits)
    : calls_(calls), by_thread_(threads) {
  if (calls == nullptr) return;
  for (std::size_t c = 0; c < calls->rows; ++c) {
    std::vector<Outer>& outer = by_thread_[calls->thread[c]];
    if (!outer.empty() && calls->start[c] < outer.back().end) {
      if (outer.back().wait == Wait::kNone) outer.back().wait = waits[c];
      continue;
    }
    outer.push_back({calls->start[c], calls->end[c], is_sync(calls->kind[c]) ? Cause::kSync : Cause::kApi, waits[c],
                     static_cast<Row>(c)});
  }
}

const std::vector<ThreadCalls::Outer>& ThreadCalls::of_thread(Row call) const {
  return by_thread_[calls_->thread[static_cast<std::size_t>(call)]];
}

Row ThreadCalls::waiting_at(Row call, std::int64_t time) const {
  if (calls_ == nullptr || call < 0) return kNone;
  const std::vector<Outer>& outer = of_thread(call);
  const auto after = std::partition_point(outer.begin(), outer.end(), [&](const Outer& o) { return o.start <= time; });
  if (after == outer.begin()) return kNone;
  const Outer& at = *std::prev(after);
  return at.end >= time && at.wait != Wait::kNone ? at.row : kNone;
}

std::int64_t ThreadCalls::outer_start(Row call) const {
  const std::int64_t start = calls_->start[static_cast<std::size_t>(call)];
  const std::vector<Outer>& outer = of_thread(call);
  const auto after = std::partition_point(outer.begin(), outer.end(), [&](const Outer& o) { return o.start <= start; });
  return after == outer.begin() ? start : std::prev(after)->start;
}

void ThreadCalls::add_host_time(Row call, std::int64_t from, std::int64_t to, CauseTimes& times) const {
  const std::vector<Outer>& outer = of_thread(call);
  std::int64_t covered = from;
  auto next = std::partition_point(outer.begin(), outer.end(), [&](const Outer& o) { return o.end <= from; });
  for (; next != outer.end() && next->start < to; ++next) {
    const std::int64_t begin = std::max(next->start, covered);
    const std::int64_t end = std::min(next->end, to);
    at(times, Cause::kHost) += begin - covered;
    at(times, next->cause) += end - begin;
    covered = end;
  }
  at(times, Cause::kHost) += to - covered;
}

void ThreadCalls::add_waits(const Gap& gap, WaitSums& sums) const {
  if (gap.last || gap.call < 0 || calls_ == nullptr) return;
  const auto [from, to] = gap.time;
  if (calls_->end[static_cast<std::size_t>(gap.call)] <= from) return;  // queued
  const std::vector<Outer>& outer = of_thread(gap.call);
  auto next = std::partition_point(outer.begin(), outer.end(), [&](const Outer& o) { return o.end <= from; });
  for (; next != outer.end() && next->start < to; ++next) {
    if (next->wait == Wait::kNone) continue;
    sums[static_cast<std::size_t>(next->wait)].idle += std::min(next->end, to) - std::max(next->start, from);
  }
}

CauseTimes causes_of(const Gap& gap, const ThreadCalls& calls) {
  CauseTimes times{};
  const auto [from, to] = gap.time;
  if (gap.last || gap.call < 0 || calls.table() == nullptr) {
    at(times, gap.last ? Cause::kTail : Cause::kUnknown) = to - from;
    return times;
  }
  const auto call = static_cast<std::size_t>(gap.call);
  if (calls.table()->end[call] <= from) {
    at(times, Cause::kQueued) = to - from;
    return times;
  }
  const std::int64_t launch = std::clamp(calls.outer_start(gap.call), from, to);
  at(times, Cause::kLaunch) = to - launch;
  if (launch > from) calls.add_host_time(gap.call, from, launch, times);
  return times;
}

std::vector<Stretch> stretches(std::int32_t device, const std::vector<Gap>& gaps, const std::vector<CauseTimes>& causes,
                               std::int64_t join) {
  std::vector<Stretch> out;
  for (std::size_t g = 0; g < gaps.size(); ++g) {
    const auto [start, end] = gaps[g].time;
    const Cause cause = largest(causes[g]);
    const bool joins = !out.empty() && out.back().cause == cause && start - out.back().end <= join;
    if (!joins) out.push_back({device, start, end, 0, 0, cause});
    Stretch& stretch = out.back();
    stretch.end = end;
    ++stretch.gaps;
    stretch.idle += end - start;
  }
  return out;
}

}  // namespace assay::idle
