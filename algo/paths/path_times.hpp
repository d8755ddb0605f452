// What was measured of each path: times on the host, and what the device did for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/paths/launch_paths.hpp"
#include "algo/paths/path_tree.hpp"

namespace assay::ranges {

/// Fewer values have no such quantile: the greatest stands for it.
inline constexpr std::int64_t kMinP95 = 20, kMinP99 = 100;

/// All occurrences of one path. Times in ns; quantiles are of the host times and NaN if there are too few. What devices
/// did is NaN if no device work was captured, and what of it the ranges launched if no calls were.
struct PathTimes {
  Row node = kNone;
  std::int64_t count = 0;
  double kernels = 0, launches = 0;  ///< NaN, as the times of devices are: the profile does not say what was launched
  double total = 0, median = 0, p95 = 0, p99 = 0, max = 0;
  double capture_ratio = 0;  ///< time in which one is open on the host, of the window
  double step_ratio = 0;     ///< the same, of the time of the steps that it is in; NaN: it is in none
  double gpu = 0;            ///< union of the work that it launched, on all devices that ran any
  double busy_ratio = 0;     ///< of the time from its start to its end on host and device
  double idle = 0;           ///< of that time, when no device ran anything; mean of the devices

  [[nodiscard]] double each(double sum) const { return sum / static_cast<double>(count); }
};

/// One row per node that occurs, in the order of the tree: children behind their parent, by their time on the host, the
/// longest first. Paths without a whole range are left out. Needs col::ranges, col::spans, col::calls, col::iterations
/// and device work if present.
std::vector<PathTimes> path_times(const Report& report, const PathTree& tree, const LaunchPaths& launches);

/// Host times of each of some rows, ns, by start.
std::vector<std::vector<double>> host_times(const PathTree& tree, std::span<const PathTimes> rows);

}  // namespace assay::ranges
