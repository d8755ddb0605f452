// How full a kernel makes the multiprocessors: as its profiler says, or computed from its launch.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "assay/report.hpp"

namespace assay::step {

/// What a multiprocessor can hold, as the device table says; and what a block takes.
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

/// Blocks of a kernel that one multiprocessor can run at once: the least of what threads, registers, shared memory and
/// the number of blocks allow, with the granularities of NVIDIA's occupancy calculator (cuda_occupancy.h). Nothing when
/// a number is unknown; the most blocks of a multiprocessor need not be where the rest allows fewer than any device.
std::optional<std::int64_t> resident_blocks(const SmLimits& limits, const BlockNeeds& needs);

enum class Origin : std::uint8_t { kUnknown, kProfiler, kComputed };

/// One kernel; NaN: not known.
struct KernelFill {
  double blocks_per_sm = std::numeric_limits<double>::quiet_NaN();
  double occupancy = std::numeric_limits<double>::quiet_NaN();  ///< 0..1
  /// `occupancy`, unless the profiler says less than one block on a multiprocessor gives, which a kernel that runs has
  /// at least where its grid reaches: then the computed one (kineto gives 0 to kernels with much shared memory).
  double corrected = std::numeric_limits<double>::quiet_NaN();
  Origin blocks_origin = Origin::kUnknown, occupancy_origin = Origin::kUnknown;
  bool impossible = false;  ///< the profiler's occupancy cannot be
};

/// By row of kernels. Blocks per SM: the profiler's value, else grid over the number of multiprocessors. Occupancy: the
/// profiler's value, else min(resident blocks, blocks per SM) * threads of a block / threads of a multiprocessor.
std::vector<KernelFill> kernel_fill(const Report& report);

/// Row of a device by its id, or nothing.
std::optional<std::size_t> device_row(const DeviceTable& devices, std::int32_t id);

}  // namespace assay::step
