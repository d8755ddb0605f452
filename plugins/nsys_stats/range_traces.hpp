// nvtx_pushpop_trace and nvtx_gpu_proj_trace.
#pragma once

#include "made.hpp"
#include "ranges.hpp"

namespace assay::nsys {

/// Every push/pop range by its start, with what it holds and what holds it.
Made push_pop_trace(const Report& report, const Task& task, ReportSink& sink);

/// Every range that launched work, by its start, with the time of that work on the GPU.
Made projection_trace(const Report& report, const Task& task, const Launches& launches, ReportSink& sink);

}  // namespace assay::nsys
