// Summaries of NVTX ranges.
#pragma once

#include "made.hpp"
#include "ranges.hpp"

namespace assay::nsys {

/// Host time of ranges by name and style.
Made range_sum(const Report& report, const Task& task);

/// Host time of ranges of one style by name.
Made range_sum(const Report& report, const Task& task, Style style);

/// GPU time between the first and the last piece of work that a range launched on its thread, by name.
Made projection_sum(const Report& report, const Task& task, const Launches& launches);

/// Kernels by the ranges around their launch; each counts for all of them. In a range inside one of its own name, as
/// nsys counts it, for both; corrected, once for a name.
Made range_kernel_sum(const Report& report, const Task& task, const Launches& launches);

}  // namespace assay::nsys
