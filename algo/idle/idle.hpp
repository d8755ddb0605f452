// Finds what a device waited for while it was idle.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "algo/idle/idle_gaps.hpp"
#include "algo/idle/waits.hpp"
#include "assay/detail/launching_calls.hpp"

namespace assay::idle {

/// Why the device was idle at an instant; exactly one cause per instant.
enum class Cause : std::uint8_t {
  kQueued = 0,   ///< the next work was launched before: it waited for another stream, an event or the device
  kLaunch = 1,   ///< the launching call of the next work had begun, and the work started within usual launch latency
  kSync = 2,     ///< the launching thread was in a call that waits for the device
  kApi = 3,      ///< the launching thread was in another API call
  kHost = 4,     ///< the launching thread was in its own code
  kTail = 5,     ///< no further work in the window
  kUnknown = 6,  ///< the launching call of the next work is not in the report
};
inline constexpr std::size_t kCauses = 7;
inline constexpr std::array<std::string_view, kCauses> kCauseNames = {"queued", "launch", "sync",   "api",
                                                                      "host",   "tail",   "unknown"};

/// ns by cause.
using CauseTimes = std::array<std::int64_t, kCauses>;

std::int64_t total(const CauseTimes& times);
/// Cause with the most time; ties go to the first.
Cause largest(const CauseTimes& times);

/// Outermost calls of each thread: a runtime call contains the driver calls it makes.
class ThreadCalls {
 public:
  /// Borrows the calls; without them every cause except the tail is unknown. `waits`: per call, by row. All calls that
  /// are asked for have launched device work.
  ThreadCalls(const Report& report, const std::vector<WaitKind>& waits);
  /// Adds what the thread of `call` did in [from, to).
  void add_host_time(Row call, std::int64_t from, std::int64_t to, CauseTimes& times) const;
  /// Adds how long the launching thread of the work after the gap was in waiting calls, including the launching call.
  /// Nothing if that is unknown, or if the work had been launched before the gap.
  void add_waits(const Gap& gap, WaitSums& sums) const;
  /// The waiting call that the thread of `call` was in at a time; of two adjacent ones the second; kNone: none.
  [[nodiscard]] Row waiting_at(Row call, std::int64_t time) const;
  /// Start of `call`, or of the call around it.
  [[nodiscard]] std::int64_t outer_start(Row call) const { return start(of_thread(call), outer_of(call)); }
  /// When the work was launched: the end of that call, or its start if it waits for the device itself.
  [[nodiscard]] std::int64_t launched(Row call) const {
    const Outers& all = of_thread(call);
    return all.wait[outer_of(call)] == WaitKind::kNone ? end(all, outer_of(call)) : start(all, outer_of(call));
  }
  /// ns of [from, to) that the thread of `call` spent in calls that wait for the device.
  [[nodiscard]] std::int64_t time_waiting(Row call, std::int64_t from, std::int64_t to) const;
  [[nodiscard]] const CallTable* table() const { return calls_; }

 private:
  /// Calls of a thread that are in no other, by time; disjoint.
  struct Outers {
    std::vector<Row> row;
    std::vector<WaitKind> wait;  ///< of the call, or of the first waiting call inside it
  };
  [[nodiscard]] const Outers& of_thread(Row call) const { return by_thread_[calls_->thread[call]]; }
  /// Among those of its thread, the call around it, or itself.
  [[nodiscard]] std::size_t outer_of(Row call) const { return place_[launching_.number(call)]; }
  /// First call of `call`'s thread for which `before` is false. Precondition: `before` is true for all earlier calls of
  /// it and false from there on.
  template <class Before>
  [[nodiscard]] std::size_t first_after(Row call, const Before& before) const;
  [[nodiscard]] std::int64_t start(const Outers& all, std::size_t at) const { return calls_->start[all.row[at]]; }
  [[nodiscard]] std::int64_t end(const Outers& all, std::size_t at) const { return calls_->end[all.row[at]]; }

  const CallTable* calls_;
  detail::LaunchingCalls launching_;
  std::vector<Outers> by_thread_;
  std::vector<std::uint32_t> place_;  ///< by number of the launching call
};

/// Times of one gap by cause; they add up to its length.
CauseTimes causes_of(const Gap& gap, const ThreadCalls& calls);

/// Consecutive gaps of one device with one cause and little work in between.
struct Stretch {
  std::int32_t device = kNone;
  std::int64_t start = 0, end = 0;  ///< ns
  std::int64_t gaps = 0, idle = 0;  ///< count, ns
  Cause cause = Cause::kUnknown;    ///< largest cause of each of its gaps
};

/// `gaps` and `causes` belong to one device, in order; between two gaps of a stretch there may be work of at most
/// `join` ns.
std::vector<Stretch> stretches(std::int32_t device, const std::vector<Gap>& gaps, const std::vector<CauseTimes>& causes,
                               std::int64_t join);

}  // namespace assay::idle
