// When no work ran on a device.
#pragma once

#include <cstdint>
#include <functional>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::idle {

/// Time in the window in which a device ran nothing, and what ended it.
struct Gap {
  Interval time;
  bool last = false;  ///< the window ended it
  Row call = -1;      ///< launching call of the work that ended it; -1: none recorded
};

/// Calls `use(device, gap)` for every gap of each device that ran anything in the window: by the end of the gap, those
/// that the window ends last and by device. Gives the number of these devices. Kernels, graph launches, copies and sets
/// count, and work from outside the window that runs in it too. Linear, and keeps nothing.
std::size_t each_gap(const Report& report, const std::function<void(std::int32_t device, const Gap& gap)>& use);

}  // namespace assay::idle
