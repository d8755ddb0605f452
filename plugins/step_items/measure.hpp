// Splits the time of one profile's steps.
#pragma once

#include <string>
#include <vector>

#include "algo/account/account.hpp"
#include "algo/step_items.hpp"
#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/steps.hpp"
#include "assay/report.hpp"

namespace assay::step_items {

/// Each instant of a step belongs to the work that runs on the device then: kernels and graphs win over collectives,
/// then copies, then sets, and within a class the one that began first; else to the cause of the idle time. `account`:
/// of the kept steps, of which there are some.
RunMeasure measure_run(const Report& report, const step::Steps& steps, const account::Account& account,
                       const NameRules& classes);

}  // namespace assay::step_items
