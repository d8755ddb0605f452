// Runs that differ from the others: few kernels, far from the median of their folder, far from runs of the same
// program.
#pragma once

#include <string>
#include <vector>

#include "runs.hpp"

namespace assay::overview {

struct UnlikeRules {
  double least_kernels = 0;  ///< with fewer it does not count as a measurement of a program
  double apart = 0;          ///< runs of one program differ if one takes this many times as long
  double deviations = 0;     ///< from the median of its folder, in robust standard deviations of the log
  std::size_t least_group = 0;
};

/// Why to look at a run first. `degree` orders the runs, 0: it is like the others.
struct Unlike {
  double degree = 0;
  std::vector<std::string> reasons;  ///< clauses: "only 3 kernels"
};

/// One per run, in their order.
std::vector<Unlike> unlike_of(const std::vector<Run>& runs, const UnlikeRules& rules);

}  // namespace assay::overview
