// The conditions of both sides: device, versions, tracing, sizes of launches, clock.
#pragma once

#include "comparison.hpp"

namespace assay::difference {

struct KernelSpeed {
  double ratio = 1;     ///< after / before, time a call: median by time
  bool common = false;  ///< nearly all kernels have it, and it is not 1
};

/// Of kernels with the same name, launch shape and place.
KernelSpeed kernel_speed(const Comparison& comparison);

/// Whether the ratio of one kernel is the common one.
bool alike(double ratio, double common);

/// Blocks of a launch shape, "4x1x128 of 256x1x1"; 1: unknown.
double blocks_of(const std::string& shape);

/// Whether two numbers of blocks are of equal work.
bool same_size(double before, double after);

/// Adds to `unlike` what only profiles of one side contain, which is not compared. Call before operators are forgotten.
void add_recorded(Comparison& comparison);

/// Sets `unlike` and `comparable`. Precondition: the changes are aligned.
void add_conditions(Comparison& comparison);

}  // namespace assay::difference
