// Which iteration a call belongs to, and the gaps of a stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// For each call the row of Report::iterations whose range wholly contains it, kNone for none. An iteration takes the
/// calls of its process on any thread (autograd launches backward from another); one that overlaps another in time only
/// those of its own thread. Of several that contain a call, the one that began last. Empty when there are no calls.
/// Linear in calls and iterations; times the number of iterations open at once on one thread where they overlap.
inline std::vector<std::int32_t> iteration_of_calls(const Report& report) {
  if (report.calls == nullptr) return {};
  const CallTable& calls = *report.calls;
  std::vector<std::int32_t> found(static_cast<std::size_t>(calls.rows), kNone);
  if (report.iterations == nullptr) return found;
  const IterationTable& iterations = *report.iterations;
  const ThreadTable& threads = *report.threads;

  std::vector<std::int32_t> of_process(static_cast<std::size_t>(report.processes->rows), kNone);  // the last one begun
  std::vector<std::vector<std::int32_t>> of_thread(static_cast<std::size_t>(threads.rows));  // open ones that overlap
  const auto contains = [&](std::int32_t iteration, std::size_t call) {
    return iteration != kNone && iterations.end[static_cast<std::size_t>(iteration)] >= calls.end[call];
  };
  std::size_t next = 0;
  for (std::size_t c = 0; c < found.size(); ++c) {
    for (; next < iterations.rows && iterations.start[next] <= calls.start[c]; ++next) {
      const std::uint32_t thread = iterations.thread[next];
      const auto row = static_cast<std::int32_t>(next);
      if (iterations.overlapping[next] != 0) {
        of_thread[thread].push_back(row);
      } else {
        of_process[threads.process[thread]] = row;
      }
    }
    std::vector<std::int32_t>& open = of_thread[calls.thread[c]];
    std::erase_if(open, [&](std::int32_t i) { return iterations.end[static_cast<std::size_t>(i)] < calls.start[c]; });
    const auto last = std::find_if(open.rbegin(), open.rend(), [&](std::int32_t i) { return contains(i, c); });
    const std::int32_t shared = of_process[threads.process[calls.thread[c]]];
    if (contains(shared, c)) found[c] = shared;
    if (last != open.rend()) found[c] = std::max(found[c], *last);
  }
  return found;
}

/// Gaps of one stream whose rows arrive by start: measured from the greatest end so far, not from the previous row's,
/// so that a long row covers the short ones that began after it.
class GapSweep {
 public:
  /// ns between the greatest end so far and `start`: 0 when they touch or overlap, nothing for the first row.
  std::optional<std::int64_t> add(std::int64_t start, std::int64_t end) {
    std::optional<std::int64_t> gap;
    if (started_) gap = std::max<std::int64_t>(0, start - reach_);
    reach_ = started_ ? std::max(reach_, end) : end;
    started_ = true;
    return gap;
  }
  /// The greatest end so far; nothing before the first row.
  [[nodiscard]] std::optional<std::int64_t> reach() const {
    return started_ ? std::optional<std::int64_t>(reach_) : std::nullopt;
  }

 private:
  std::int64_t reach_ = 0;
  bool started_ = false;
};

}  // namespace assay
