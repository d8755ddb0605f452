// Kernels, API calls and memory operations, summed up by name.
#pragma once

#include "assay/report.hpp"
#include "made.hpp"

namespace assay::nsys {

/// `name` is the column that kernels are told apart by.
Made kernel_sum(const Report& report, std::string_view asked, Column<StringId> KernelTable::* name);
/// Kernels by name, grid and block.
Made shape_sum(const Report& report);
Made call_sum(const Report& report);
Made memory_time_sum(const Report& report);
Made memory_size_sum(const Report& report);

}  // namespace assay::nsys
