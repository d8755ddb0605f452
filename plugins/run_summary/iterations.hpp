// The cost of one iteration: the work launched by the calls inside its range, on any thread of its process.
#pragma once

#include <cstdint>
#include <vector>

#include "work.hpp"

namespace assay::summary {

/// One iteration of the window.
struct IterationCost {
  std::int64_t host = 0;  ///< length of the range, ns
  std::int64_t kernels = 0;
  std::int64_t other_thread_kernels = 0;    ///< launched by another thread than the range's
  std::int64_t sync = 0;                    ///< host time in synchronising calls, ns
  bool worked = false;                      ///< launched GPU work; otherwise the rest is 0
  std::int64_t gpu_start = 0, gpu_end = 0;  ///< first start and last end of the work
  std::int64_t gpu_busy = 0;                ///< union of the work, ns
  [[nodiscard]] std::int64_t gpu_span() const { return gpu_end - gpu_start; }
};

struct IterationSummary {
  std::vector<IterationCost> costs;  ///< in order of host start
  std::int64_t outside_window = 0;   ///< iterations not entirely inside a named window, which are excluded (warm-up)
  std::int64_t overlapping = 0;      ///< of costs: overlap another in time, so only calls of their own thread count
};

/// `iterations`, `calls` and `threads` must not be null. A call inside two iterations counts for the one that began
/// later.
IterationSummary summarize_iterations(const IterationTable& iterations, const CallTable& calls,
                                      const ThreadTable& threads, const Window& window, const GpuWork& work);

/// Differences between the GPU ends of successive iterations, ns, without pairs in which one launched no work.
std::vector<double> periods(const IterationSummary& summary);

}  // namespace assay::summary
