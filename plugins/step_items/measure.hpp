// One profile to what its steps' time goes to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "algo/step_items.hpp"
#include "assay/report.hpp"

namespace assay::step_items {

/// Every instant of a step belongs to what ran on the device then: to a kernel or graph before a collective, to that
/// before a copy, to that before a set, and of several of a class to the one that began first; else to the cause of the
/// idle time. Nothing: the report has no device work, or nothing that a step could be.
std::optional<RunMeasure> measure_run(const Report& report, const std::vector<std::string>& step_names,
                                      const NameRules& classes);

}  // namespace assay::step_items
