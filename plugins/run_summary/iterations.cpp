#include "iterations.hpp"

#include "calls.hpp"

namespace assay::summary {
namespace {

constexpr std::int32_t kNoIteration = -1;

/// Index into the costs for every call, or kNoIteration.
class CallsOfIterations {
 public:
  CallsOfIterations(const CallTable& calls, const ThreadTable& threads)
      : calls_(calls), threads_(threads), owner_(static_cast<std::size_t>(calls.rows), kNoIteration) {}

  void assign(const IterationTable& iterations, std::size_t row, std::int32_t index) {
    const std::int64_t start = iterations.start[row], end = iterations.end[row];
    const std::uint32_t thread = iterations.thread[row];
    const bool own_thread_only = iterations.overlapping[row] != 0;
    const auto starts = calls_.start.view();
    auto c = static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), start) - starts.begin());
    for (; c < starts.size() && starts[c] <= end; ++c) {
      if (calls_.end[c] > end) continue;
      const std::uint32_t of_call = calls_.thread[c];
      const bool counts = own_thread_only ? of_call == thread : threads_.process[of_call] == threads_.process[thread];
      if (counts) owner_[c] = index;
    }
  }
  [[nodiscard]] std::int32_t owner(Row call) const {
    return call < 0 ? kNoIteration : owner_[static_cast<std::size_t>(call)];
  }

 private:
  const CallTable& calls_;
  const ThreadTable& threads_;
  std::vector<std::int32_t> owner_;
};

void add_sync_times(const CallTable& calls, const CallsOfIterations& of_call, std::vector<IterationCost>& costs) {
  for (std::size_t c = 0; c < calls.rows; ++c) {
    if (sync_index(calls.kind[c]) < 0) continue;
    const std::int32_t i = of_call.owner(static_cast<Row>(c));
    if (i != kNoIteration) costs[static_cast<std::size_t>(i)].sync += calls.end[c] - calls.start[c];
  }
}

void add_work(IterationCost& cost, UnionMeasure& busy, std::int64_t start, std::int64_t end) {
  cost.gpu_start = cost.worked ? std::min(cost.gpu_start, start) : start;
  cost.gpu_end = cost.worked ? std::max(cost.gpu_end, end) : end;
  cost.worked = true;
  busy.add(start, end);
}

}  // namespace

IterationSummary summarize_iterations(const IterationTable& iterations, const CallTable& calls,
                                      const ThreadTable& threads, const Window& window, const GpuWork& work) {
  IterationSummary out;
  CallsOfIterations of_call(calls, threads);
  std::vector<std::uint32_t> thread_of;
  for (std::size_t row = 0; row < iterations.rows; ++row) {
    const std::int64_t start = iterations.start[row], end = iterations.end[row];
    if (window.named != 0 && (start < window.host_start || end > window.host_end)) {
      ++out.outside_window;
      continue;
    }
    of_call.assign(iterations, row, static_cast<std::int32_t>(out.costs.size()));
    out.costs.emplace_back().host = end - start;
    out.overlapping += iterations.overlapping[row] != 0 ? 1 : 0;
    thread_of.push_back(iterations.thread[row]);
  }
  if (out.costs.empty()) return out;
  add_sync_times(calls, of_call, out.costs);

  std::vector<UnionMeasure> busy(out.costs.size());
  in_start_order(work.kinds, [&](std::size_t kind, std::size_t row) {
    const Work& w = work.kinds[kind];
    const Row call = w.call_of(row);
    const std::int32_t owner = of_call.owner(call);
    if (owner == kNoIteration) return;
    const auto i = static_cast<std::size_t>(owner);
    add_work(out.costs[i], busy[i], w.start[row], w.end[row]);
    if (kind != kKernel) return;
    ++out.costs[i].kernels;
    if (calls.thread[static_cast<std::size_t>(call)] != thread_of[i]) ++out.costs[i].other_thread_kernels;
  });
  for (std::size_t i = 0; i < busy.size(); ++i) out.costs[i].gpu_busy = busy[i].total();
  return out;
}

std::vector<double> periods(const IterationSummary& summary) {
  std::vector<double> out;
  for (std::size_t i = 1; i < summary.costs.size(); ++i) {
    const IterationCost &before = summary.costs[i - 1], &cost = summary.costs[i];
    if (before.worked && cost.worked) out.push_back(static_cast<double>(cost.gpu_end - before.gpu_end));
  }
  return out;
}

}  // namespace assay::summary
