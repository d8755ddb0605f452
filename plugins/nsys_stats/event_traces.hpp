// cuda_api_trace and cuda_gpu_trace.
#pragma once

#include "made.hpp"

namespace assay::nsys {

/// Every API call by its start.
Made call_trace(const Report& report, const Task& task, ReportSink& sink);

/// Kernels, copies and sets by their start.
Made work_trace(const Report& report, const Task& task, ReportSink& sink);

/// What kinds of memory are called; empty for a number that CUPTI does not know.
std::string_view memory_kind(std::int32_t kind);

}  // namespace assay::nsys
