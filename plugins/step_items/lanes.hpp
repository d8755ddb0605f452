// What the host and each device do in one step, as lanes of pieces.
#pragma once

#include <vector>

#include "algo/account/account.hpp"
#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/steps.hpp"
#include "assay/report.hpp"
#include "merge.hpp"

namespace assay::step_items {

/// Ranges of the step's thread in two levels, the calls in which it waits, what runs on the device for each range, each
/// stream, the copies, and idle times with their causes. Times are clipped to the step.
/// `number`: of the step in the account's steps.
std::vector<Lane> lanes_of(const Report& report, const account::Account& account, const step::Step& step,
                           std::size_t number, const NameRules& classes);

}  // namespace assay::step_items
