// The critical path across ranks, to first order: no dependencies are replayed.
#pragma once

#include "clocks.hpp"

namespace assay::ranks {

/// ns of the path on each rank, of each step of Matches::steps. From the last end of a step backwards; at an exposed
/// wait of more than 1 us the path goes on with the rank that came last, at its start. Needs usable clocks.
std::vector<std::vector<double>> critical_path(const JobRows& job, const Matches& matches, const Waits& waits,
                                               const Clocks& clocks);

}  // namespace assay::ranks
