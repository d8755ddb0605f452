// Work inside CUDA graphs, by the ranges in which its nodes were captured.
#pragma once

#include <vector>

#include "assay/detail/launch_paths.hpp"
#include "assay/output.hpp"

namespace assay::ranges {

/// Kernels of graphs launched in one path and captured in another or below it. Times in ns.
struct ReplayedPath {
  Row launched = kNone;       ///< innermost node around the launch; kNone: outside of all ranges
  Row captured = kNone;       ///< node around the capture; kNone: outside of all ranges
  std::int64_t launches = 0;  ///< of graphs, in the path
  std::int64_t kernels = 0;
  double gpu = 0;          ///< union of the kernels, over all devices
  double graph_ratio = 0;  ///< share of the time of all kernels of graphs launched in the path

  [[nodiscard]] double each(double sum) const { return sum / static_cast<double>(launches); }
};

struct Replays {
  std::vector<ReplayedPath> paths;  ///< by launching path, then in tree order: parents before children
  std::int64_t kernels = 0;         ///< of graphs, all
  std::int64_t unknown = 0;         ///< of them those whose nodes were captured before the profile
};

/// Requires kernels with graph nodes and the declared table of nodes; empty if they are missing.
Replays measure_replays(const Report& report, const PathTree& tree, const LaunchPaths& launches);

void emit_replays(const PathTree& tree, const Replays& replays, ReportSink& sink);

}  // namespace assay::ranges
