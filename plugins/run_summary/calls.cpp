#include "calls.hpp"

namespace assay::summary {

CallSummary summarize_calls(const CallTable& calls, std::size_t threads) {
  CallSummary out;
  constexpr std::int64_t kNever = INT64_MIN;
  std::vector<std::int64_t> last_launch(threads, kNever);
  for (std::size_t row = 0; row < calls.rows; ++row) {
    if (calls.in_window[row] == 0) continue;
    const CallKind kind = calls.kind[row];
    const std::int64_t start = calls.start[row], duration = calls.end[row] - start;
    if (is_launch(kind)) {
      kind == CallKind::kGraphLaunch ? ++out.graph_launches : ++out.kernel_launches;
      out.launch_time += duration;
      std::int64_t& last = last_launch[calls.thread[row]];
      if (last != kNever) out.launch_intervals.push_back(static_cast<double>(start - last));
      last = start;
    }
    if (kind == CallKind::kCopy || kind == CallKind::kBlockingCopy) ++out.copy_calls;
    if (const int sync = sync_index(kind); sync >= 0) {
      CountAndTime& s = out.syncs[static_cast<std::size_t>(sync)];
      ++s.count;
      s.time += duration;
    }
  }
  return out;
}

}  // namespace assay::summary
