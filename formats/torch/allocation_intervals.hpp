// Allocations from begin to end, with the surrounding operators and Python functions: the tables memory_allocations and
// memory_stacks, which memory snapshots fill as well.
#pragma once

#include "load/store.hpp"

namespace assay::load {

/// Adds the two tables if any row of `allocations` has an address. Requires final times and nested ops; drops the
/// addresses. Memory allocated before the trace and never freed becomes one row per device, based on the totals in the
/// events.
void add_allocation_intervals(Profile::Store& store);

}  // namespace assay::load
