// Under what the sides were measured: device, versions, shapes, compiled kernels, clock.
#pragma once

#include <string_view>

#include "difference/comparison.hpp"

namespace assay::difference {

inline constexpr std::string_view kClockCondition = "time of the same kernels";  ///< which says of the clock

/// Half of the time of the kernels that both sides have lies between `low` and `high` times what it was.
struct KernelSpeed {
  double ratio = 1, low = 1, high = 1;  ///< after / before, time a call: median and quartiles by time
  double share = 0;                     ///< of BEFORE's kernel time, that these kernels have
  bool common = false;                  ///< nearly all of them have the median, and it is not 1
};

/// Of kernels of the same name, launch shape and place.
KernelSpeed kernel_speed(const Comparison& comparison);

/// Whether two kernels that are as much slower or faster changed with all others.
bool alike(double ratio, double common);

/// Adds to `unlike` what only one side's profiles have and is not compared. Before operators are forgotten.
void add_recorded(Comparison& comparison);

/// Adds to `conditions`, `unlike` and `comparable`. The changes are aligned.
void add_conditions(Comparison& comparison);

}  // namespace assay::difference
