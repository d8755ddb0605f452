// What bounds the kernels of one report, weighted by their time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/speed_of_light.hpp"

namespace assay::bound {

/// Kernels of one name and launch shape that ncu measured.
struct BoundRow {
  std::string kernel;  ///< base name
  std::string kernel_class, tensor_cores;
  std::string grid, block;  ///< "224 x 1 x 1"; empty where not known
  SpeedOfLight speed;
  Bound bound = Bound::kUnknown;
  std::int64_t launches = 0;  ///< in the report; without one: that ncu measured
  double time = 0;            ///< of those, ns
};

struct Bounds {
  bool joined = false;                        ///< weights are GPU times of the report; else durations that ncu measured
  std::vector<BoundRow> rows;                 ///< with time, most first; of equals by name and shape
  double without_counters = 0;                ///< ns of kernels of the report that ncu did not measure
  std::map<std::string, BoundTimes> classes;  ///< those too, as unknown
  BoundTimes all;
  std::int64_t profiled = 0;   ///< launches that ncu measured
  std::int64_t unmatched = 0;  ///< of those: no kernel in the window is like them
  std::int64_t untimed = 0;    ///< of those, without a report: no duration was measured
};

/// Needs profiled and counters; kernels with names, of the window, where present.
Bounds measure_bounds(const Report& report, const NameRules& rules, const NameRules& tensor_cores, double threshold);

/// Means weighted by time, over the rows that have the counter.
struct WeightedSpeed {
  double compute = 0, memory = 0, dram = 0, occupancy = 0;                      ///< sums of share times weight
  double compute_time = 0, memory_time = 0, dram_time = 0, occupancy_time = 0;  ///< their weights
  void add(const BoundRow& row);
};

}  // namespace assay::bound
