// What the host and each device do in one step, as lanes of pieces.
#pragma once

#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/steps.hpp"
#include "assay/report.hpp"
#include "merge.hpp"

namespace assay::step_items {

/// Ranges of the step's thread in two levels, the calls in which it waits, what runs on the device for each range, each
/// stream, the copies, and idle times with their causes. Times are clipped to the step.
std::vector<Lane> lanes_of(const Report& report, const step::Step& step, const NameRules& classes);

}  // namespace assay::step_items
