// The largest allocations at the memory peak of each device.
#pragma once

#include <vector>

#include "device_history.hpp"

namespace assay::memory_snapshot {

/// Rows of the allocations in use at the peak, at most `most` per device, sorted by begin.
std::vector<std::size_t> rows_at_peaks(const AllocationColumns& allocations, const ChangeColumns& changes,
                                       std::size_t most);

}  // namespace assay::memory_snapshot
