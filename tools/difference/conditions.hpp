// Conditions of the measurements: device, versions, shapes, compiled kernels, clock.
#pragma once

#include <string_view>

#include "difference/comparison.hpp"

namespace assay::difference {

inline constexpr std::string_view kClockCondition = "time of the same kernels";  ///< the condition about the clock

/// Half of the time of kernels that both sides have is within [low, high] times its earlier value.
struct KernelSpeed {
  double ratio = 1, low = 1, high = 1;  ///< after / before, time per call: median and quartiles, weighted by time
  double share = 0;                     ///< share of these kernels in BEFORE's kernel time
  bool common = false;                  ///< nearly all of them have the median ratio, which is not 1
};

/// For kernels with equal name, launch shape and place.
KernelSpeed kernel_speed(const Comparison& comparison);

/// Whether a kernel's ratio agrees with the common one.
bool alike(double ratio, double common);

/// Adds to `unlike` what only one side recorded and is not compared. Call before forget_operators.
void add_recorded(Comparison& comparison);

/// Adds to `conditions`, `unlike` and `comparable`. Precondition: the changes are aligned.
void add_conditions(Comparison& comparison);

}  // namespace assay::difference
