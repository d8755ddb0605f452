// Phases of a step: its ranges as folded paths.
#pragma once

#include <vector>

#include "algo/step_items.hpp"
#include "assay/detail/step_names.hpp"
#include "launch_place.hpp"

namespace assay::step_items {

inline constexpr std::size_t kMostPhases = 200;  ///< of a run, those with the longest ranges around them first

/// Ranges in steps, without those that begin in no step that is kept. Needs col::ranges, col::spans, col::calls and
/// device work where present.
std::vector<Phase> phases_of(const Report& report, step::Names& names, const LaunchPlaces& places);

}  // namespace assay::step_items
