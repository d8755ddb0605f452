// The four rules of nsys about calls that hold the host up.
#pragma once

#include "assay/report.hpp"
#include "made.hpp"

namespace assay::nsys {

/// Calls that wait for a device or a stream, the longest first.
Made sync_calls(const Report& report, const Task& task);

/// Copies from or to pageable memory by calls that are asynchronous by name, the longest first.
Made pageable_copies(const Report& report, const Task& task);

/// Copies by calls that are not; without those of at most 64,000 bytes to a device and, corrected, those within a
/// device, which do not hold the host up.
Made synchronous_copies(const Report& report, const Task& task);

/// Sets by calls that are not asynchronous by name.
Made synchronous_sets(const Report& report, const Task& task);

}  // namespace assay::nsys
