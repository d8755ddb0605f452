// What a device waited for whenever it had nothing to do.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/detail/idle_gaps.hpp"
#include "assay/detail/waits.hpp"

namespace assay::idle {

/// Why an instant without device work was without: each belongs to exactly one.
enum class Cause : std::uint8_t {
  kQueued = 0,   ///< what came next was launched before: it waited for another stream, an event or the device
  kLaunch = 1,   ///< the launching call of what came next had begun, and it came in the time that a launch may take
  kSync = 2,     ///< the launching thread was in a call that waits for the device
  kApi = 3,      ///< the launching thread was in another API call
  kHost = 4,     ///< the launching thread was in none: its own code
  kTail = 5,     ///< nothing came next in the window
  kUnknown = 6,  ///< the launching call of what came next is not in the report
};
inline constexpr std::size_t kCauses = 7;
inline constexpr std::array<std::string_view, kCauses> kCauseNames = {"queued", "launch", "sync",   "api",
                                                                      "host",   "tail",   "unknown"};

/// ns by cause.
using CauseTimes = std::array<std::int64_t, kCauses>;

std::int64_t total(const CauseTimes& times);
/// The cause with the most time; ties go to the first.
Cause largest(const CauseTimes& times);

/// Calls of each thread that no other call is around: a runtime call holds the driver calls that it makes.
class ThreadCalls {
 public:
  /// `calls` is borrowed; may be null: then every cause but tail is unknown. `waits`: of each call, by row.
  ThreadCalls(const CallTable* calls, std::size_t threads, const std::vector<WaitKind>& waits);
  /// Adds what the thread of `call` did in [from, to).
  void add_host_time(Row call, std::int64_t from, std::int64_t to, CauseTimes& times) const;
  /// Adds how long the launching thread of what ended the gap was in calls that wait, the launching call among them.
  /// Nothing where that is not known, or where the work had been launched before the gap.
  void add_waits(const Gap& gap, WaitSums& sums) const;
  /// The call that waits for the device in which the thread of `call` was at a time, of two that follow each other at
  /// once the second; kNone: in none.
  [[nodiscard]] Row waiting_at(Row call, std::int64_t time) const;
  /// When `call` began, or the call around it.
  [[nodiscard]] std::int64_t outer_start(Row call) const { return start(outer_of(call)); }
  /// When that call ended: where it waits for the device itself, when it began.
  [[nodiscard]] std::int64_t launched(Row call) const {
    return outer_of(call).wait == WaitKind::kNone ? end(outer_of(call)) : start(outer_of(call));
  }
  /// ns of [from, to) in which the thread of `call` was in calls that wait for the device.
  [[nodiscard]] std::int64_t time_waiting(Row call, std::int64_t from, std::int64_t to) const;
  [[nodiscard]] const CallTable* table() const { return calls_; }

 private:
  struct OutermostCall {
    Row row;    ///< of the call
    WaitKind wait;  ///< of the call, or of the first that waits inside it
  };
  using Outers = std::vector<OutermostCall>;
  [[nodiscard]] const Outers& of_thread(Row call) const;
  /// The first call of the thread of `call` of which `before` does not hold; it holds of all up to there.
  template <class Before>
  [[nodiscard]] Outers::const_iterator first_after(Row call, const Before& before) const;
  [[nodiscard]] const OutermostCall& outer_of(Row call) const {
    return of_thread(call)[place_[static_cast<std::size_t>(call)]];
  }
  [[nodiscard]] std::int64_t start(const OutermostCall& outer) const { return calls_->start[outer.row]; }
  [[nodiscard]] std::int64_t end(const OutermostCall& outer) const { return calls_->end[outer.row]; }
  [[nodiscard]] Cause cause(const OutermostCall& outer) const;  ///< kSync or kApi

  const CallTable* calls_;
  std::vector<Outers> by_thread_;     ///< disjoint, by time
  std::vector<std::uint32_t> place_;  ///< by row of calls: the one around it or itself, in `by_thread_`
};

/// Times of one gap; they add up to its length.
CauseTimes causes_of(const Gap& gap, const ThreadCalls& calls);

/// Gaps of one device one after another that have one cause and little work between them.
struct Stretch {
  std::int32_t device = kNone;
  std::int64_t start = 0, end = 0;  ///< ns
  std::int64_t gaps = 0, idle = 0;  ///< count, ns
  Cause cause = Cause::kUnknown;    ///< the largest of each of its gaps
};

/// `gaps` and `causes` are of one device, in order; work of at most `join` ns may lie between two gaps of a stretch.
std::vector<Stretch> stretches(std::int32_t device, const std::vector<Gap>& gaps, const std::vector<CauseTimes>& causes,
                               std::int64_t join);

}  // namespace assay::idle
