// What counters of Nsight Compute say that kernels computed and moved, and what their device could do meanwhile.
//
// Definition: FLOPs of matrix units are sm__ops_path_tensor_src_*.sum (a multiplication and an addition are two), those
// of ordinary cores add + mul + 2 fma of the threads' fp16, fp32 and fp64 instructions. DRAM bytes are read and
// written ones, L2 bytes the sectors of 32 bytes that were looked up. What a profile did not count is not known, never
// 0.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "assay/algo/peaks.hpp"
#include "assay/report.hpp"

namespace assay::roofline {

/// Of one launch, the mean of several, or a sum over kernels.
struct LaunchCounters {
  std::array<double, kRates> ops{};  ///< FLOPs by the units that they ran on
  double other_ops = 0;              ///< of matrix units whose rate is not known (int4, int1)
  double dram_bytes = 0, l2_bytes = 0;
  double time = 0;   ///< ns, under Nsight Compute
  double clock = 0;  ///< Hz of the multiprocessors meanwhile; 0: not known
  bool has_flops = false, has_bytes = false, has_l2 = false;

  [[nodiscard]] double matrix_ops() const;
  [[nodiscard]] double flops() const;
  LaunchCounters& operator+=(const LaunchCounters& other);
};

/// Means of a launch, by the first row of its group (ProfiledTable::group). Empty without counters.
std::map<Row, LaunchCounters> counted_by_group(const Report& report);

/// Peaks by what the counters say of the device: multiprocessors, compute capability, the clock at which the launches
/// ran (Nsight Compute locks it to base unless told otherwise), bytes per cycle of DRAM. Nsight Compute's own peaks of
/// matrix units are those of sparse operands, so that they are not used.
Peaks counted_peaks(const Report& report, std::string_view device = {});

/// The least time of the mean of a launch: the longest of each unit's FLOPs over its dense peak at the launch's own
/// clock and of DRAM bytes over the bandwidth. Nothing where FLOPs, bytes or a peak that it needs is not known.
std::optional<Roof> roof_of(const Peaks& peaks, const LaunchCounters& counted);

/// Of launches of which both are known, each by its own counters: the least time and the measured one, summed, ns.
struct RoofTimes {
  double least = 0, measured = 0;
};
/// By the first row of the group.
std::map<Row, RoofTimes> roofs_by_group(const Report& report, const Peaks& peaks);

}  // namespace assay::roofline
