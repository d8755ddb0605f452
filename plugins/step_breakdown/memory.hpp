// The most device memory that was in use.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

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

}  // namespace assay::step
