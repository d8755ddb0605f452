#include "assay/algo/attribution.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay {

std::vector<std::int32_t> iteration_of_calls(const Report& report) {
  if (report.calls == nullptr) return {};
  const CallTable& calls = *report.calls;
  std::vector<std::int32_t> found(static_cast<std::size_t>(calls.rows), kNone);
  if (report.iterations == nullptr) return found;
  const IterationTable& iterations = *report.iterations;
  const ThreadTable& threads = *report.threads;

  std::vector<std::int32_t> of_process(static_cast<std::size_t>(report.processes->rows), kNone);  // the most recently
                                                                                                  // opened range
  // Open ranges that overlap. Of two, the later one is kept only if it also ends later, so ends fall from first to
  // last.
  std::vector<std::vector<std::int32_t>> of_thread(static_cast<std::size_t>(threads.rows));
  const auto end_of = [&](std::int32_t iteration) { return iterations.end[static_cast<std::size_t>(iteration)]; };
  std::size_t next = 0;
  for (std::size_t c = 0; c < found.size(); ++c) {
    for (; next < iterations.rows && iterations.start[next] <= calls.start[c]; ++next) {
      const std::uint32_t thread = iterations.thread[next];
      const auto row = static_cast<std::int32_t>(next);
      if (iterations.overlapping[next] != 0) {
        std::vector<std::int32_t>& open = of_thread[thread];
        while (!open.empty() && end_of(open.back()) <= end_of(row)) open.pop_back();
        open.push_back(row);
      } else {
        of_process[threads.process[thread]] = row;
      }
    }
    std::vector<std::int32_t>& open = of_thread[calls.thread[c]];
    while (!open.empty() && end_of(open.back()) < calls.start[c]) open.pop_back();
    const auto behind =
        std::partition_point(open.begin(), open.end(), [&](std::int32_t i) { return end_of(i) >= calls.end[c]; });
    const std::int32_t shared = of_process[threads.process[calls.thread[c]]];
    if (shared != kNone && end_of(shared) >= calls.end[c]) found[c] = shared;
    if (behind != open.begin()) found[c] = std::max(found[c], *(behind - 1));
  }
  return found;
}

}  // namespace assay
