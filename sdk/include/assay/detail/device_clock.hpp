// How far the device's clock in a profile is behind the host's.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/report.hpp"

namespace assay::detail {

/// ns to subtract from device times, by row of processes: a synchronization cannot return before the work it waits for
/// has ended, and usually returns within 25 us of it; no work begins before its launch. 0: no such wait, several
/// devices, or less than 2 us. Exports of nsys are off by up to 95 us.
std::vector<std::int64_t> device_lateness(const Report& report);

}  // namespace assay::detail
