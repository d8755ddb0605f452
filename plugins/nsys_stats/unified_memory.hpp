// Reports of unified memory: page faults and the pages that moved.
#pragma once

#include "made.hpp"

namespace assay::nsys {

/// Page faults of the CPU by the instruction that caused them.
Made cpu_faults_sum(const Report& report, const Task& task);

/// What moved and faulted, by virtual address.
Made unified_memory_sum(const Report& report, const Task& task);

/// The same altogether.
Made unified_memory_totals(const Report& report, const Task& task);

}  // namespace assay::nsys
