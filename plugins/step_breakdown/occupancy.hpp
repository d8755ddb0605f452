// How full a kernel makes the multiprocessors: from its profiler, or computed from its launch.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "assay/report.hpp"

namespace assay::step {

/// Limits of a multiprocessor from the device table, and the resources of a block.
struct SmLimits {
  std::int32_t threads = kNone, blocks = kNone, registers = kNone;
  std::int32_t shared = kNone;  ///< bytes
  std::int32_t compute_major = kNone;
};
struct BlockNeeds {
  std::int32_t threads = kNone;
  std::int32_t registers = kNone;  ///< per thread
  std::int32_t shared = kNone;     ///< bytes, static and dynamic
};

/// Blocks of a kernel that one multiprocessor can run at once: the minimum over the limits from threads, registers,
/// shared memory and number of blocks, with the granularities of NVIDIA's occupancy calculator (cuda_occupancy.h).
/// Empty if a number is unknown; the maximum number of blocks may be unknown if the rest allows fewer than on any
/// device.
std::optional<std::int64_t> resident_blocks(const SmLimits& limits, const BlockNeeds& needs);

enum class Origin : std::uint8_t { kUnknown, kProfiler, kComputed };

/// One kernel; NaN: unknown.
struct KernelFill {
  double blocks_per_sm = std::numeric_limits<double>::quiet_NaN();
  double occupancy = std::numeric_limits<double>::quiet_NaN();  ///< 0..1
  /// `occupancy`, unless it is less than that of one block per multiprocessor, which every running kernel has where its
  /// grid reaches: then the computed one (kineto reports 0 for kernels with much shared memory).
  double corrected = std::numeric_limits<double>::quiet_NaN();
  Origin blocks_origin = Origin::kUnknown, occupancy_origin = Origin::kUnknown;
  bool impossible = false;  ///< the profiler's occupancy is impossible
};

/// By row of kernels. Blocks per SM: the profiler's value, otherwise grid over number of multiprocessors. Occupancy:
/// the profiler's value, otherwise min(resident blocks, blocks per SM) * threads of a block / threads of a
/// multiprocessor.
std::vector<KernelFill> kernel_fill(const Report& report);

/// Row of a device by its id, or empty.
std::optional<std::size_t> device_row(const DeviceTable& devices, std::int32_t id);

}  // namespace assay::step
