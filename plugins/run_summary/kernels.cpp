#include "kernels.hpp"

namespace assay::summary {

KernelSummary summarize_kernels(const Work& kernels, const CallTable* calls, Interval window) {
  KernelSummary out;
  out.durations.reserve(kernels.rows);
  for (std::size_t row = 0; row < kernels.rows; ++row) {
    if (!kernels.inside(row)) continue;
    const std::int64_t duration = length(clipped(kernels.start[row], kernels.end[row], window));
    out.durations.push_back(static_cast<double>(duration));
    out.time += duration;
    const Row call = kernels.call_of(row);
    if (calls == nullptr || call < 0) continue;
    const auto c = static_cast<std::size_t>(call);
    const std::int64_t queue = kernels.start[row] - calls->end[c];
    if (queue >= 0) {
      ++out.queued;
      out.queue_time += queue;
    }
    if (calls->kind[c] == CallKind::kGraphLaunch) ++out.from_graphs;
  }
  return out;
}

}  // namespace assay::summary
