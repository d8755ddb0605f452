// Under what the sides were measured: device, versions, shapes, compiled kernels, clock.
#pragma once

#include "comparison.hpp"

namespace assay::difference {

struct KernelSpeed {
  double ratio = 1;     ///< after / before, time a call: median by time
  bool common = false;  ///< nearly all of them have it, and it is not 1
};

/// Of kernels of the same name, launch shape and place.
KernelSpeed kernel_speed(const Comparison& comparison);

/// Whether two kernels that are as much slower or faster changed with all others.
bool alike(double ratio, double common);

/// Adds to `unlike` what only one side's profiles have and is not compared. Before operators are forgotten.
void add_recorded(Comparison& comparison);

/// Adds to `unlike` and `comparable`. The changes are aligned.
void add_conditions(Comparison& comparison);

}  // namespace assay::difference
