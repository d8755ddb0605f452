// How well the steps use each device: utilization, SM efficiency, achieved occupancy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"
#include "occupancy.hpp"

namespace assay::step {

/// Bytes; kNone: unknown.
struct MemoryPeak {
  std::int32_t device = kNone;
  std::int64_t allocated = kNone;  ///< in use by tensors
  std::int64_t reserved = kNone;   ///< held by the allocator
  std::int64_t total = kNone;      ///< of the device

  /// Memory unavailable to others: reserved, or allocated if only that is known.
  [[nodiscard]] std::int64_t held() const { return reserved >= 0 ? reserved : allocated; }
};

/// One element per device whose allocations include totals, by device id. Requires allocations.
std::vector<MemoryPeak> memory_peaks(const Report& report);

struct DeviceUse {
  std::int32_t device = kNone;
  std::int64_t kernels = 0;             ///< kernels and graph launches in the span
  double utilization = 0;               ///< union of kernels over the span, 0..1
  std::optional<double> sm_efficiency;  ///< 0..1; empty if blocks per SM are unknown for all kernels
  std::optional<double> occupancy;      ///< 0..1, weighted by duration; empty if unknown for all kernels
  std::optional<double> corrected;      ///< the same with KernelFill::corrected
  std::int64_t kernel_time = 0;         ///< sum of durations in the span, ns
  std::int64_t impossible_time = 0;     ///< of those, with an impossible occupancy
  std::int64_t unknown_time = 0;        ///< of those, without an occupancy
};

/// One element per device that ran kernels or graph launches in the span, by device id. Kernels are clipped to the
/// span. `fill`: by row of kernels. Linear except for concurrent kernels.
std::vector<DeviceUse> device_use(const Report& report, std::span<const KernelFill> fill, Interval span);

}  // namespace assay::step
