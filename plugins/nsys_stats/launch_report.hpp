// cuda_kern_exec_sum and cuda_kern_exec_trace: API time, queue time and kernel time of launches.
#pragma once

#include "launches.hpp"
#include "made.hpp"

namespace assay::nsys {

/// By process, thread, device, API name and kernel name; mean total time descending.
Made launch_sum(const Report& report, const Task& task, const Launches& launches);

/// Every launch by the start of its call.
Made launch_trace(const Report& report, const Task& task, const Launches& launches, ReportSink& sink);

}  // namespace assay::nsys
