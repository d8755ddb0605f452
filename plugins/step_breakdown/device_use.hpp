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

/// Bytes; kNone: the trace does not say.
struct MemoryPeak {
  std::int32_t device = kNone;
  std::int64_t allocated = kNone;  ///< in use by tensors
  std::int64_t reserved = kNone;   ///< held by the allocator
  std::int64_t total = kNone;      ///< of the device

  /// What the device cannot give to others: reserved, or allocated where only that is known.
  [[nodiscard]] std::int64_t held() const { return reserved >= 0 ? reserved : allocated; }
};

/// One element a device with allocations that say how much is in use, by device id. Needs allocations.
std::vector<MemoryPeak> memory_peaks(const Report& report);

struct DeviceUse {
  std::int32_t device = kNone;
  std::int64_t kernels = 0;             ///< kernels and graph launches that run in the span
  double utilization = 0;               ///< union of kernels over the span, 0..1
  std::optional<double> sm_efficiency;  ///< 0..1; nothing when no kernel's blocks per SM are known
  std::optional<double> occupancy;      ///< 0..1, weighted by duration; nothing when no kernel's is known
  std::optional<double> corrected;      ///< the same with KernelFill::corrected
  std::int64_t kernel_time = 0;         ///< sum of durations in the span, ns
  std::int64_t impossible_time = 0;     ///< of those, with an occupancy that cannot be
  std::int64_t unknown_time = 0;        ///< of those, without an occupancy
};

/// One element a device that ran kernels or graph launches in the span, by device id. Kernels are clipped to the span.
/// `fill`: by row of kernels. Linear but for kernels that run at once.
std::vector<DeviceUse> device_use(const Report& report, std::span<const KernelFill> fill, Interval span);

}  // namespace assay::step
