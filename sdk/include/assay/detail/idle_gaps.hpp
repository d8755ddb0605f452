// Finds gaps between work on a device.
#pragma once

#include <cstdint>
#include <functional>

#include "assay/algo/intervals.hpp"
#include "assay/report.hpp"

namespace assay::idle {

/// Idle time of a device in the window, and what ended it.
struct Gap {
  Interval time;
  bool last = false;  ///< the window ended it
  Row call = -1;      ///< launching call of the work that ended it; -1: not recorded
};

/// Calls `use(device, gap)` for every gap of each device with work in the window: by end of the gap; those ended by the
/// window come last, by device. Returns the number of these devices. Considers kernels, graph launches, copies and
/// sets, including work from outside of the window that runs in it. Linear, without storing events.
std::size_t each_gap(const Report& report, const std::function<void(std::int32_t device, const Gap& gap)>& use);

}  // namespace assay::idle
