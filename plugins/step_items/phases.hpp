// Phases of a step: its ranges as folded paths.
#pragma once

#include <vector>

#include "algo/step_items.hpp"
#include "assay/algo/steps.hpp"

namespace assay::step_items {

inline constexpr std::size_t kMaxPhases = 200;  ///< per run; outermost and longest ranges first

/// Ranges in steps, without those that begin outside of kept steps. Needs col::ranges, col::spans, col::calls and
/// device work if present.
std::vector<Phase> phases_of(const Report& report, const step::Steps& steps);

}  // namespace assay::step_items
