// What counters of Nsight Compute say that kernels computed and moved.
#pragma once

#include <map>
#include <optional>

#include "assay/report.hpp"

namespace assay::roofline {

/// Sums over kernels.
struct Counted {
  double matrix_ops =
      0;                ///< of matrix units: sm__ops_path_tensor_src_*.sum, a multiplication and an addition being two
  double core_ops = 0;  ///< of ordinary cores: add + mul + 2 fma of fp16, fp32 and fp64 threads
  double dram_bytes = 0;  ///< read and written
  double l2_bytes = 0;    ///< through L2, where it was counted
  double time = 0;        ///< ns, under Nsight Compute
  bool has_flops = false, has_bytes = false;

  [[nodiscard]] double flops() const { return matrix_ops + core_ops; }
  Counted& operator+=(const Counted& other);
};

/// Means of a launch, by the first row of its group (ProfiledTable::group). Empty without counters.
std::map<Row, Counted> counted_by_group(const Report& report);

/// The clock of the multiprocessors while they were counted, Hz, and what the counters say of the device; 0: not said.
struct CountedDevice {
  double multiprocessors = 0, clock = 0, bandwidth = 0;
  std::int32_t major = 0, minor = 0;
};
CountedDevice counted_device(const Report& report);

}  // namespace assay::roofline
