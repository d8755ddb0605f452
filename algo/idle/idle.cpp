#include "algo/idle/idle.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>

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

ThreadCalls::ThreadCalls(const Report& report, const std::vector<WaitKind>& waits)
    : calls_(report.calls), launching_(report), by_thread_(static_cast<std::size_t>(report.threads->rows)) {
  if (calls_ == nullptr) return;
  std::vector<std::size_t> counts(by_thread_.size(), 0);
  for (std::size_t c = 0; c < calls_->rows; ++c) ++counts[calls_->thread[c]];
  for (std::size_t t = 0; t < counts.size(); ++t) {
    by_thread_[t].row.reserve(counts[t]);
    by_thread_[t].wait.reserve(counts[t]);
  }
  place_.reserve(launching_.size());
  for (std::size_t c = 0; c < calls_->rows; ++c) {
    Outers& all = by_thread_[calls_->thread[c]];
    if (all.row.empty() || calls_->start[c] >= end(all, all.row.size() - 1)) {
      all.row.push_back(static_cast<Row>(c));
      all.wait.push_back(waits[c]);
    } else if (all.wait.back() == WaitKind::kNone) {
      all.wait.back() = waits[c];
    }
    if (launching_.contains(static_cast<Row>(c))) place_.push_back(static_cast<std::uint32_t>(all.row.size() - 1));
  }
}

/// Galloping search, starting at the call: a gap usually ends with work that was launched shortly before.
template <class Before>
std::size_t ThreadCalls::first_after(Row call, const Before& before) const {
  const std::size_t count = of_thread(call).row.size();
  std::size_t low = outer_of(call), high = low, step = 1;
  if (before(low)) {
    do {
      low = high + 1;  // `before` is true for everything below
      high += step;
      step *= 2;
    } while (high < count && before(high));
    high = std::min(high, count);
  } else {
    do {
      high = low;  // `before` is false here
      low -= std::min(low, step);
      step *= 2;
    } while (low < high && !before(low));
    low += low < high ? 1 : 0;
  }
  const auto between = std::views::iota(low, high);
  return low + static_cast<std::size_t>(std::ranges::partition_point(between, before) - between.begin());
}

Row ThreadCalls::waiting_at(Row call, std::int64_t time) const {
  if (calls_ == nullptr || call < 0) return kNone;
  const Outers& all = of_thread(call);
  const std::size_t after = first_after(call, [&](std::size_t o) { return start(all, o) <= time; });
  if (after == 0 || all.wait[after - 1] == WaitKind::kNone) return kNone;
  const bool goes_on = after < all.row.size() && all.wait[after] != WaitKind::kNone &&
                       start(all, after) - end(all, after - 1) <= kOneWait;
  if (goes_on) return all.row[after];
  return end(all, after - 1) >= time ? all.row[after - 1] : kNone;
}

std::int64_t ThreadCalls::time_waiting(Row call, std::int64_t from, std::int64_t to) const {
  const Outers& all = of_thread(call);
  std::int64_t time = 0;
  for (std::size_t o = first_after(call, [&](std::size_t at) { return end(all, at) <= from; });
       o < all.row.size() && start(all, o) < to; ++o) {
    if (all.wait[o] != WaitKind::kNone) time += std::min(end(all, o), to) - std::max(start(all, o), from);
  }
  return time;
}

void ThreadCalls::add_host_time(Row call, std::int64_t from, std::int64_t to, CauseTimes& times) const {
  const Outers& all = of_thread(call);
  std::int64_t covered = from;
  for (std::size_t o = first_after(call, [&](std::size_t at) { return end(all, at) <= from; });
       o < all.row.size() && start(all, o) < to; ++o) {
    const std::int64_t begin = std::max(start(all, o), covered);
    const std::int64_t until = std::min(end(all, o), to);
    at(times, Cause::kHost) += begin - covered;
    at(times, is_sync(calls_->kind[all.row[o]]) ? Cause::kSync : Cause::kApi) += until - begin;
    covered = until;
  }
  at(times, Cause::kHost) += to - covered;
}

void ThreadCalls::add_waits(const Gap& gap, WaitSums& sums) const {
  if (gap.last || gap.call < 0 || calls_ == nullptr) return;
  const auto [from, to] = gap.time;
  if (calls_->end[static_cast<std::size_t>(gap.call)] <= from) return;  // queued
  const Outers& all = of_thread(gap.call);
  for (std::size_t o = first_after(gap.call, [&, begin = from](std::size_t at) { return end(all, at) <= begin; });
       o < all.row.size() && start(all, o) < to; ++o) {
    if (all.wait[o] == WaitKind::kNone) continue;
    sums[static_cast<std::size_t>(all.wait[o])].idle += std::min(end(all, o), to) - std::max(start(all, o), from);
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
