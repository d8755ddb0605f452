#include "algo/idle/idle.hpp"

#include <algorithm>
#include <numeric>

namespace assay::idle {
namespace {

/// Longest gap between two calls that wait for the same work, such as a copy of pageable memory and the synchronisation
/// that PyTorch issues after it. Which of the two a copy ends in is decided by microseconds and by how the profiler
/// aligns its clocks.
constexpr std::int64_t kOneWait = 20'000;  // ns

/// From the return of a launching call to the start of its work on an idle device takes microseconds. A longer delay
/// means that the work waited for something else: an event, a copy, or work that is not in the profile.
constexpr std::int64_t kLongestLaunch = 1'000'000;  // ns

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

ThreadCalls::ThreadCalls(const CallTable* calls, std::size_t threads, const std::vector<WaitKind>& waits)
    : calls_(calls), by_thread_(threads) {
  if (calls == nullptr) return;
  std::vector<std::size_t> counts(threads, 0);
  for (std::size_t c = 0; c < calls->rows; ++c) ++counts[calls->thread[c]];
  for (std::size_t t = 0; t < threads; ++t) by_thread_[t].reserve(counts[t]);
  place_.reserve(calls->rows);
  for (std::size_t c = 0; c < calls->rows; ++c) {
    Outers& outer = by_thread_[calls->thread[c]];
    if (outer.empty() || calls->start[c] >= end(outer.back())) {
      outer.push_back({static_cast<Row>(c), waits[c]});
    } else if (outer.back().wait == WaitKind::kNone) {
      outer.back().wait = waits[c];
    }
    place_.push_back(static_cast<std::uint32_t>(outer.size() - 1));
  }
}

Cause ThreadCalls::cause(const OutermostCall& outer) const {
  return is_sync(calls_->kind[outer.row]) ? Cause::kSync : Cause::kApi;
}

const ThreadCalls::Outers& ThreadCalls::of_thread(Row call) const { return by_thread_[calls_->thread[call]]; }

/// Galloping search, starting at the call: a gap usually ends with work that was launched shortly before.
template <class Before>
ThreadCalls::Outers::const_iterator ThreadCalls::first_after(Row call, const Before& before) const {
  const Outers& all = of_thread(call);
  std::size_t low = place_[static_cast<std::size_t>(call)], high = low, step = 1;
  if (before(all[low])) {
    do {
      low = high + 1;  // `before` is true for everything below
      high += step;
      step *= 2;
    } while (high < all.size() && before(all[high]));
    high = std::min(high, all.size());
  } else {
    do {
      high = low;  // `before` is false here
      low -= std::min(low, step);
      step *= 2;
    } while (low < high && !before(all[low]));
    low += low < high ? 1 : 0;
  }
  return std::partition_point(all.begin() + static_cast<std::ptrdiff_t>(low),
                              all.begin() + static_cast<std::ptrdiff_t>(high), before);
}

Row ThreadCalls::waiting_at(Row call, std::int64_t time) const {
  if (calls_ == nullptr || call < 0) return kNone;
  const Outers& all = of_thread(call);
  const auto after = first_after(call, [&](const OutermostCall& o) { return start(o) <= time; });
  if (after == all.begin() || std::prev(after)->wait == WaitKind::kNone) return kNone;
  const OutermostCall& at = *std::prev(after);
  const bool goes_on = after != all.end() && after->wait != WaitKind::kNone && start(*after) - end(at) <= kOneWait;
  if (goes_on) return after->row;
  return end(at) >= time ? at.row : kNone;
}

std::int64_t ThreadCalls::time_waiting(Row call, std::int64_t from, std::int64_t to) const {
  std::int64_t time = 0;
  auto next = first_after(call, [&](const OutermostCall& o) { return end(o) <= from; });
  for (const auto last = of_thread(call).end(); next != last && start(*next) < to; ++next) {
    if (next->wait != WaitKind::kNone) time += std::min(end(*next), to) - std::max(start(*next), from);
  }
  return time;
}

void ThreadCalls::add_host_time(Row call, std::int64_t from, std::int64_t to, CauseTimes& times) const {
  std::int64_t covered = from;
  auto next = first_after(call, [&](const OutermostCall& o) { return end(o) <= from; });
  for (const auto last = of_thread(call).end(); next != last && start(*next) < to; ++next) {
    const std::int64_t begin = std::max(start(*next), covered);
    const std::int64_t until = std::min(end(*next), to);
    at(times, Cause::kHost) += begin - covered;
    at(times, cause(*next)) += until - begin;
    covered = until;
  }
  at(times, Cause::kHost) += to - covered;
}

void ThreadCalls::add_waits(const Gap& gap, WaitSums& sums) const {
  if (gap.last || gap.call < 0 || calls_ == nullptr) return;
  const auto [from, to] = gap.time;
  if (calls_->end[static_cast<std::size_t>(gap.call)] <= from) return;  // queued
  auto next = first_after(gap.call, [&](const OutermostCall& o) { return end(o) <= from; });
  for (const auto last = of_thread(gap.call).end(); next != last && start(*next) < to; ++next) {
    if (next->wait == WaitKind::kNone) continue;
    sums[static_cast<std::size_t>(next->wait)].idle += std::min(end(*next), to) - std::max(start(*next), from);
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
  const std::int64_t launched = std::clamp(calls.launched(gap.call), launch, to);
  const std::int64_t waits = to - launched > kLongestLaunch ? launched : to;  // from here on
  if (launch > from) calls.add_host_time(gap.call, from, launch, times);
  at(times, Cause::kLaunch) = waits - launch;
  const std::int64_t waiting = calls.time_waiting(gap.call, waits, to);
  at(times, Cause::kSync) += waiting;
  at(times, Cause::kQueued) = to - waits - waiting;
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
