// Runs of a recording as a racer: the logs of their values and of their clocks by block.
#pragma once

#include <string_view>

#include "compare.hpp"
#include "race.hpp"

namespace assay::claims {

/// Whether values of the metric change at most in proportion to a clock. True of times and rates, except those measured
/// in other runs than the profiled ones.
bool follows_clocks(std::string_view metric, std::string_view unit);

/// Racer with the runs of `side` that have a block. `direction`: -1 if more is better. `with_clocks`: also with their
/// clocks, if those of all of these runs were sampled.
Racer racer_of(const StudyView& view, const RunSide& side, double direction, bool with_clocks);

}  // namespace assay::claims
