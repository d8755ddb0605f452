// Kernels of the window: number, duration, and queueing after their launch.
#pragma once

#include <cstdint>
#include <vector>

#include "work.hpp"

namespace assay::summary {

struct KernelSummary {
  std::int64_t time = 0;          ///< sum of the durations, ns
  std::vector<double> durations;  ///< clipped to the window, ns; one per kernel
  std::int64_t queued = 0;        ///< kernels that started no earlier than their launching call ended
  std::int64_t queue_time = 0;    ///< of those: start minus end of the call, summed, ns
  std::int64_t from_graphs = 0;   ///< launched by a graph launch, that is, traced by node
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(durations.size()); }
};

/// `calls` may be null: then queueing is unknown.
KernelSummary summarize_kernels(const Work& kernels, const CallTable* calls, Interval window);

}  // namespace assay::summary
