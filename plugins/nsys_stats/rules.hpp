// The four rules of nsys about calls that hold the host up.
#pragma once

#include "launches.hpp"
#include "made.hpp"

namespace assay::nsys {

/// Calls that wait for a device or a stream, the longest first.
Made sync_calls(const Report& report, const Task& task);

/// Copies from or to pageable memory by calls that are asynchronous by name, the longest first.
Made pageable_copies(const Report& report, const Task& task, const Launches& launches);

/// Copies by calls that are not; without those that do not hold the host up all the same: within a device, and of 64 KB
/// at most to a device.
Made synchronous_copies(const Report& report, const Task& task, const Launches& launches);

/// Sets by calls that are not asynchronous by name.
Made synchronous_sets(const Report& report, const Task& task, const Launches& launches);

}  // namespace assay::nsys
