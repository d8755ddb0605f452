// Runs that differ from the others: few kernels, far from the median of their folder, far from runs of the same
// program.
#pragma once

#include <string>
#include <vector>

#include "runs.hpp"

namespace assay::overview {

/// Why to look at a run first. `degree` orders the runs, 0: it is like the others.
struct Unlike {
  double degree = 0;
  std::vector<std::string> reasons;  ///< clauses: "only 3 kernels"
};

/// One per run, in their order.
std::vector<Unlike> unlike_of(const std::vector<Run>& runs);

}  // namespace assay::overview
