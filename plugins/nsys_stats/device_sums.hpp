// Kernels, API calls and memory operations, summed up by name.
#pragma once

#include "assay/report.hpp"
#include "made.hpp"

namespace assay::nsys {

Made kernel_sum(const Report& report, const Task& task);
/// Kernels by name, grid and block.
Made shape_sum(const Report& report, const Task& task);
Made call_sum(const Report& report, const Task& task);
/// Kernels and memory operations, and API calls where `with_calls`.
Made work_sum(const Report& report, const Task& task, bool with_calls);
Made memory_time_sum(const Report& report, const Task& task);
Made memory_size_sum(const Report& report, const Task& task);

}  // namespace assay::nsys
