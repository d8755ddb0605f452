// When no work ran on a device.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::idle {

/// Time in the window in which a device ran nothing, and what ended it.
struct Gap {
  Interval time;
  bool last = false;  ///< the window ended it
  Row call = -1;      ///< launching call of the work that ended it; -1: none recorded
};

struct DeviceGaps {
  std::int32_t device = kNone;
  std::vector<Gap> gaps;  ///< by time
};

/// Of each device that ran anything in the window, by device. Kernels, graph launches, copies and sets count, and work
/// from outside the window that runs in it too.
std::vector<DeviceGaps> gaps_by_device(const Report& report);

}  // namespace assay::idle
