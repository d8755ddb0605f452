// Measurements per path: host times, and device activity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/paths/launch_paths.hpp"
#include "algo/paths/path_tree.hpp"

namespace assay::ranges {

/// With fewer values the quantile is replaced by the maximum.
inline constexpr std::int64_t kMinP95 = 20, kMinP99 = 100;

/// All occurrences of one path. Times in ns; quantiles are of host times, NaN if there are too few. Device values are
/// NaN without captured device work; those of launched work also without calls.
struct PathTimes {
  Row node = kNone;
  std::int64_t count = 0;
  double kernels = 0, launches = 0;  ///< NaN like device times: launches are not in the profile
  double total = 0, median = 0, p95 = 0, p99 = 0, max = 0;
  double capture_ratio = 0;  ///< share of the window in which one is open on the host
  double step_ratio = 0;     ///< likewise of the time of its steps; NaN: outside of steps
  double gpu = 0;            ///< union of the work launched in it, on all devices with any
  double busy_ratio = 0;     ///< of the time from its start to its end on host and device
  double idle = 0;           ///< part of that time in which no device ran anything; mean over devices

  [[nodiscard]] double each(double sum) const { return sum / static_cast<double>(count); }
};

/// One row per node that occurs, in tree order: children after their parent, by host time, longest first. Paths without
/// a complete range are left out. Needs col::ranges, col::spans, col::calls, col::steps and device work if
/// present. `idle`: whether it is asked for, which takes as much memory as the rest.
std::vector<PathTimes> path_times(const Report& report, const PathTree& tree, const LaunchPaths& launches,
                                  bool idle = true);

/// The node whose ranges are the steps of the report; kNone: none.
Row step_node(const Report& report, const PathTree& tree);

/// Host times per row, in ns, by start.
std::vector<std::vector<double>> host_times(const PathTree& tree, std::span<const PathTimes> rows);

}  // namespace assay::ranges
