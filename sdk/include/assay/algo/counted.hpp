// FLOPs and bytes of kernels from Nsight Compute counters, and what their device could have done in that time.
//
// Definition: FLOPs of matrix units are sm__ops_path_tensor_src_*.sum (a multiplication and an addition count as two),
// those of ordinary cores add + mul + 2 fma of the threads' fp16, fp32 and fp64 instructions. DRAM bytes are bytes read
// and written, L2 bytes those of lts__t_bytes, else 32 per looked-up sector. A counter that was not collected is
// unknown, never 0.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "assay/algo/peaks.hpp"
#include "assay/report.hpp"

namespace assay::roofline {

/// Counters of one launch, means of several launches, or sums over kernels.
struct LaunchCounters {
  std::array<double, kRates> ops{};     ///< FLOPs by unit (Rate)
  double other_ops = 0;                 ///< of matrix units with unknown rate (int4, int1)
  double dram_bytes = 0, l2_bytes = 0;  ///< valid with has_bytes, has_l2
  double time = 0;                      ///< ns, under Nsight Compute; 0: unknown
  double clock = 0;                     ///< Hz of the multiprocessors during the launch; 0: unknown
  bool has_flops = false, has_bytes = false, has_l2 = false;  ///< known, for every launch summed

  /// FLOPs of matrix units, with `other_ops`.
  [[nodiscard]] double matrix_ops() const;
  /// FLOPs of all units, with `other_ops`.
  [[nodiscard]] double flops() const;
  /// Adds every number. `clock` becomes a sum too, 0 if one of both is unknown: divide by the number of launches.
  LaunchCounters& operator+=(const LaunchCounters& other);
};

/// Mean of a launch per group, by the first row of the group (ProfiledTable::group). Empty without counters.
std::map<Row, LaunchCounters> counted_by_group(const Report& report);

/// Peaks according to counters: multiprocessors, compute capability, mean clock of the launches (Nsight Compute locks
/// it to base by default), DRAM bytes per cycle x DRAM clock, else bus width x memory clock x 2. `device`: its name,
/// for the data sheet. Nsight Compute's own peaks of matrix units refer to sparse operands and are not used.
Peaks counted_peaks(const Report& report, std::string_view device = {});

/// Minimum time in ns for the mean of a launch: the maximum of each unit's FLOPs over its dense peak at the launch's
/// own clock, and of DRAM bytes over the bandwidth. Empty if FLOPs, bytes or a required peak is unknown, or with
/// `other_ops`, whose rate is unknown.
std::optional<Roof> roof_of(const Peaks& peaks, const LaunchCounters& counted);

/// Sums over launches for which both are known, each from its own counters, in ns: minimum and measured time.
struct RoofTimes {
  double least = 0, measured = 0;
};
/// Sums per group, by the first row of the group; groups without such a launch are missing.
std::map<Row, RoofTimes> roofs_by_group(const Report& report, const Peaks& peaks);

}  // namespace assay::roofline
