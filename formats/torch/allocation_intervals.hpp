// Allocations from begin to end, with the operators and python functions around them: memory_allocations and
// memory_stacks, which memory snapshots fill too.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// Adds the two tables if any row of `allocations` has an address. Needs the addresses of its rows, final times and
/// nested ops. Memory from before the trace that is never freed becomes one row per device, by the totals of the
/// events.
void add_allocation_intervals(const OwnedColumn<std::int64_t>& addresses, Profile::Store& store);

}  // namespace assay::load
