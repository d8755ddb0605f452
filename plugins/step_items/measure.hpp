// Splits the time of one profile's steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algo/step_items.hpp"
#include "assay/algo/kernel_classes.hpp"
#include "assay/report.hpp"

namespace assay::step_items {

/// Each instant of a step belongs to the work that runs on the device then: kernels and graphs win over collectives,
/// then copies, then sets, and within a class the one that began first; else to the cause of the idle time. Empty if
/// the report has no device work, or nothing that could be a step.
std::optional<RunMeasure> measure_run(const Report& report, const NameRules& classes);

}  // namespace assay::step_items
