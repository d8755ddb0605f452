// How long each device was busy, and with what.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "work.hpp"

namespace assay::summary {

/// Unions of time inside the window on one device, ns. "Own" work belongs to the window; foreign work was launched
/// outside it and only runs in it.
struct DeviceBusy {
  std::int32_t device = kNone;
  bool ran_kernels = false;  ///< own kernels or graph launches
  bool ran_own = false;      ///< own work of any kind
  std::int64_t kernels = 0;  ///< kernels and graph launches
  std::int64_t copies = 0;
  std::int64_t kernels_or_copies = 0;
  std::int64_t own = 0;  ///< all own work
  std::int64_t all = 0;  ///< own and foreign
  std::int64_t foreign = 0;
  std::int64_t opaque = 0;  ///< graph launches whose kernels were not traced

  /// Time with a copy and a kernel at once.
  [[nodiscard]] std::int64_t overlap() const { return kernels + copies - kernels_or_copies; }
};

/// One row a device that ran anything in the window, in order of first use. `opaque` has an element per graph row: not
/// 0 where the kernels of that launch were not traced.
std::vector<DeviceBusy> busy_by_device(const GpuWork& work, std::span<const std::uint8_t> opaque, Interval window);

/// Per graph row: 1 unless some kernel was launched by the same call, that is, was traced by node.
std::vector<std::uint8_t> opaque_graphs(const Work& graphs, const Work& kernels);

}  // namespace assay::summary
