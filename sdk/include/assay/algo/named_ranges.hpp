// Finds the instance of a named NVTX range in which a call was made, on any thread of the process, and so the owner of
// a kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// The name with its counters replaced: each run of digits, date (2026-11-27) and hash (8 or more hexadecimal digits
/// with at least one letter and one digit) becomes "{i}", "{j}", "{k}", ..., "{z}" in order; after the first of them
/// numbers in parentheses are removed. "execute_8_context_9(9)" is "execute_{i}_context_{j}".
std::string folded_name(std::string_view name);

/// Whether a range's name equals the pattern, with a number for its "{i}", or folds to it. Whole strings,
/// case-sensitive.
bool range_name_matches(std::string_view pattern, std::string_view name);

/// Push/pop and start/end ranges whose name matches one of some patterns, without those nested in another of them. A
/// call belongs to the range that contains it entirely: on the range's own thread by nesting, on other threads of the
/// process by time, because threads share work (autograd launches the backward pass from its own thread). If such
/// ranges of different threads overlap in time, time does not identify them and only own threads count: `by_time()` is
/// false.
class NamedRanges {
 public:
  /// One range: [start, end] of one thread.
  struct Instance {
    std::int64_t start = 0, end = 0;  ///< ns, on the host
    std::uint32_t process = 0;        ///< row of processes
    std::uint32_t thread = 0;         ///< row of threads
  };

  /// Needs col::ranges and col::spans if present; null tables have no rows. Borrows the report.
  NamedRanges(const Report& report, std::span<const std::string> patterns);

  /// Intervals found otherwise (operators of a framework), in any order, each for the calls of its own thread. Nested
  /// ones are left out. Borrows the report.
  NamedRanges(const Report& report, std::vector<Instance> instances);

  /// Row of `instances()` that the call belongs to, kNone if it belongs to none. Precondition: a row of calls.
  [[nodiscard]] std::int32_t of_call(Row call) const {
    const auto c = static_cast<std::size_t>(call);
    const CallTable& calls = *report_->calls;
    const std::uint32_t thread = calls.thread[c];
    const std::uint32_t key = by_time_ ? report_->threads->process[thread] : thread;
    const std::int64_t start = calls.start[c];
    // Without nested ones, ends rise with starts: the last to begin before the call is the last to end.
    const auto after = std::partition_point(instances_.begin(), instances_.end(), [&](const Instance& i) {
      const std::uint32_t own = by_time_ ? i.process : i.thread;
      return own != key ? own < key : i.start <= start;
    });
    if (after == instances_.begin()) return kNone;
    const Instance& last = *(after - 1);
    const bool inside = (by_time_ ? last.process : last.thread) == key && last.end >= calls.end[c];
    return inside ? static_cast<std::int32_t>(after - 1 - instances_.begin()) : kNone;
  }

  /// Whether another thread than the instance's made the call.
  [[nodiscard]] bool is_other_thread(Row call, std::int32_t instance) const {
    return report_->calls->thread[static_cast<std::size_t>(call)] !=
           instances_[static_cast<std::size_t>(instance)].thread;
  }

  /// Sorted by process (by thread if `by_time()` is false), then start.
  [[nodiscard]] std::span<const Instance> instances() const { return instances_; }
  [[nodiscard]] bool empty() const { return instances_.empty(); }
  /// Whether calls of other threads of the process belong to a range by time.
  [[nodiscard]] bool by_time() const { return by_time_; }

 private:
  template <class Key>
  void sort_by(Key&& key) {
    std::sort(instances_.begin(), instances_.end(),
              [&](const Instance& a, const Instance& b) { return key(a) < key(b); });
  }

  void collect(const RangeTable& table, std::span<const std::string> patterns);

  /// Expects the order (process, start, longest first). Only ranges of one thread nest.
  void drop_nested();

  const Report* report_;
  std::vector<Instance> instances_;
  bool by_time_ = true;
};

}  // namespace assay
