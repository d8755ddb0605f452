// cuda_kern_exec_sum: API time, queue time and kernel time of launches.
#pragma once

#include "launches.hpp"
#include "made.hpp"

namespace assay::nsys {

/// By process, thread, device, API name and kernel name; mean total time descending.
Made launch_sum(const Report& report, const Launches& launches);

}  // namespace assay::nsys
