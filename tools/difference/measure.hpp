// Attributes the time of a profile's steps to items.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/report.hpp"
#include "difference/item.hpp"
#include "result.hpp"

namespace assay::difference {

/// Columns that `measure_run` reads.
std::set<ColumnId> measured_columns();

/// Every instant of a step belongs to what ran on the device: graphs and kernels before collectives, then copies, then
/// sets, and within a class to the work that began first; else to the cause of the idle time. Error: the report has no
/// device work, or nothing that can be a step.
Result<RunMeasure> measure_run(const Report& report, const std::vector<std::string>& step_names,
                               const NameRules& classes);

}  // namespace assay::difference
