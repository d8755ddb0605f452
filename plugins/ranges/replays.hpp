// What runs inside CUDA graphs by the ranges in which their nodes were captured.
#pragma once

#include <vector>

#include "algo/paths/launch_paths.hpp"
#include "assay/output.hpp"

namespace assay::ranges {

/// Kernels of graphs that were launched in one path and captured in another, or below it. Times in ns.
struct ReplayedPath {
  Row launched = kNone;       ///< innermost node around the launch; kNone: outside of every range
  Row captured = kNone;       ///< node around the capture; kNone: outside of every range
  std::int64_t launches = 0;  ///< of graphs, in the path
  std::int64_t kernels = 0;
  double gpu = 0;          ///< union of the kernels' times, on all devices
  double graph_ratio = 0;  ///< share of the time of all kernels of graphs that were launched in the path

  [[nodiscard]] double each(double sum) const { return sum / static_cast<double>(launches); }
};

struct Replays {
  std::vector<ReplayedPath> paths;  ///< by launching path, then in the order of the tree: parents before children
  std::int64_t kernels = 0;         ///< of graphs, all
  std::int64_t unknown = 0;         ///< of them those whose nodes were captured before the profile
};

/// Needs kernels with graph nodes and the declared table of the nodes; empty where there are none.
Replays measure_replays(const Report& report, const PathTree& tree, const LaunchPaths& launches);

void emit_replays(const PathTree& tree, const Replays& replays, ReportSink& sink);

}  // namespace assay::ranges
