// Kernels by name, with their occupancy of the device and their use of tensor cores.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/detail/tensor_core_uses.hpp"
#include "occupancy.hpp"

namespace assay::step {

struct KernelRow {
  std::string_view name;   ///< borrows the report
  std::string_view kind;   ///< class by the rules, of the first kernel with the name; refers to the rules
  std::size_t uses = 2;    ///< index into kTensorCoreUses; likewise
  std::int64_t calls = 0;  ///< kernels that ran rather than launches: one graph launch runs many
  std::int64_t total = 0, longest = 0, shortest = std::numeric_limits<std::int64_t>::max();  ///< ns
  double blocks_per_sm = std::numeric_limits<double>::quiet_NaN();  ///< mean weighted by duration; NaN: unknown
  double occupancy = std::numeric_limits<double>::quiet_NaN();      ///< likewise, 0..1
  double corrected = std::numeric_limits<double>::quiet_NaN();      ///< likewise, of KernelFill::corrected
};

/// Sums of durations of the window's kernels, ns.
struct TensorCoreTime {
  std::int64_t all = 0;
  std::array<std::int64_t, 3> by_use{};           ///< by kTensorCoreUses
  std::array<std::int64_t, 3> eligible_by_use{};  ///< of those launched by operators that can use tensor cores
};

struct Kernels {
  std::vector<KernelRow> rows;  ///< by total descending, then name
  TensorCoreTime tensor_cores;
  std::int64_t count = 0;
};

/// Kernels of the window. Requires kernels with names. `fill` and `eligible`: by row of kernels; `eligible` may be
/// empty.
Kernels kernel_rows(const Report& report, std::span<const KernelFill> fill, std::span<const std::uint8_t> eligible,
                    const NameRules& classes, const NameRules& tensor_cores);

/// Compute capability of a device, {0, 0} if unknown.
ComputeCapability capability_of(const DeviceTable& devices, std::int32_t id);

}  // namespace assay::step
