// What a report can tell. A missing table is not "nothing happened": in a lazy export it says only that no row was
// recorded, so the API calls are asked whether there should have been any.
#pragma once

#include <optional>
#include <string>

#include "calls.hpp"
#include "kernels.hpp"

namespace assay::summary {

/// Why a group of metrics cannot be known, as a whole sentence part; nothing when it can.
struct Coverage {
  std::optional<std::string> calls;    ///< launch.*, sync.*
  std::optional<std::string> kernels;  ///< kernel.*
  std::optional<std::string> graphs;   ///< graph.launch_count and graph.time_sum_ns
  std::optional<std::string> opaque;   ///< graph.opaque_ratio
  std::optional<std::string> copies;   ///< copy.*
  std::optional<std::string> gpu;      ///< gpu.*, gap.* and the GPU side of iteration.*
};

/// `calls` and `kernels` summarise `report`.
Coverage coverage_of(const Report& report, const CallSummary& calls, const KernelSummary& kernels);

}  // namespace assay::summary
