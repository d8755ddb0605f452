// The largest allocations at each device's peak.
#pragma once

#include <vector>

#include "device_history.hpp"

namespace assay::memory_snapshot {

/// Rows of the allocations that were in use when most was, at most `most` of each device, by begin.
std::vector<std::size_t> rows_at_peaks(const AllocationColumns& allocations, const ChangeColumns& changes,
                                       std::size_t most);

}  // namespace assay::memory_snapshot
