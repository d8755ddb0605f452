// The numbers of the published latency script, computed from its window and rows so that published values can be
// reproduced. The differences to run_summary (sums instead of unions, previous row instead of latest end) are
// deliberate.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::latency {

/// Count, sum, extremes and extent of some rows, ns.
struct Extent {
  std::int64_t rows = 0;
  std::int64_t time = 0;  ///< sum of durations
  std::int64_t shortest = 0, longest = 0;
  std::int64_t first_start = 0, last_end = 0;

  void add(std::int64_t start, std::int64_t end);
  [[nodiscard]] std::int64_t timeline() const { return last_end - first_start; }
  [[nodiscard]] double mean() const { return static_cast<double>(time) / static_cast<double>(rows); }
};

struct CopyNumbers {
  Extent extent;
  std::int64_t bytes = 0;
  bool sized = true;  ///< the size of each copy is known; false: `bytes` covers only some
};

/// Kernels whose launching call is in the window too, each with the gap to the previous row with its stream id.
struct PipelineNumbers {
  Extent kernels;
  std::int64_t preparation = 0;                             ///< sum of kernel start - call end, ns, including negative
                                                            ///< ones
  std::int64_t significant = 0, large = 0, very_large = 0;  ///< gaps > 1, > 10, > 100 us
  std::int64_t significant_time = 0;                        ///< sum of the significant ones, ns
  std::int64_t positive = 0, positive_time = 0;             ///< gaps > 0
  std::int64_t longest = 0;                                 ///< the first row of a stream has a gap of 0
  [[nodiscard]] double preparation_us() const {
    return static_cast<double>(preparation) / static_cast<double>(kernels.rows) / 1e3;
  }
  [[nodiscard]] double efficiency() const;
};

struct Script {
  Extent kernels;
  std::map<std::string, CopyNumbers> copies;  ///< "d2h", "h2d", "other_N" with N the profiler's copy kind
  PipelineNumbers pipeline;
  Extent operations;                      ///< kernels, copies and sets together
  std::int64_t streams = 0;               ///< number of distinct stream ids
  double average_stream_utilization = 0;  ///< unweighted mean over streams with a timeline above 0
};

/// Rows count if they are entirely in `host_window`. Graph launches do not count: the script did not know them.
Script script_numbers(const Report& report, Interval host_window);

/// 0 without any time, as published.
double mib_per_s(double bytes, double time_ns);

}  // namespace assay::latency
