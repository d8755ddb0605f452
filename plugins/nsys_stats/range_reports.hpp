// The three reports of NVTX ranges.
#pragma once

#include "made.hpp"
#include "ranges.hpp"

namespace assay::nsys {

/// Host time of ranges by name.
Made range_sum(const Report& report);

/// GPU time between the first and the last piece of work that a range launched on its thread, by name.
Made projection_sum(const Report& report, const Launches& launches);

/// Kernels by the ranges around their launch; each counts for all of them.
Made range_kernel_sum(const Report& report, const Launches& launches);

}  // namespace assay::nsys
