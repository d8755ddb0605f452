// Names on the critical path of a run.
#pragma once

#include <string>
#include <vector>

#include "whatif/asked.hpp"
#include "whatif/run.hpp"

namespace assay::whatif {

/// A change that removes something from the path, with the ns of the path as its max gain; largest first.
struct Candidate {
  ChangeRequest change;
  double on_path = 0;  ///< ns per iteration
};
std::vector<Candidate> candidates(const Run& run);

}  // namespace assay::whatif
