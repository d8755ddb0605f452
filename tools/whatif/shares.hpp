// What the critical path of a run goes through, by name.
#pragma once

#include <string>
#include <vector>

#include "whatif/asked.hpp"
#include "whatif/run.hpp"

namespace assay::whatif {

/// Changes that take away what is on the path, with ns of the path that each could gain at most; largest first.
struct Candidate {
  ChangeRequest change;
  double on_path = 0;  ///< ns per iteration
};
std::vector<Candidate> candidates(const Run& run);

}  // namespace assay::whatif
