// When the work of a range began and ended on the GPU.
#pragma once

#include <optional>

#include "ranges.hpp"

namespace assay::nsys {

/// The GPU's side of one range: first start and last end of what was launched inside.
struct Projected {
  std::int64_t first = 0, last = 0;
  std::int64_t works = 0;  ///< how many pieces; 0: none, and no times
};

/// Of every instance. Logarithmic for each where calls of a thread end in the order in which they start, whatever the
/// ranges do; nothing where they do not and looking at every pair would take too long.
std::optional<std::vector<Projected>> project(const RangeHits& hits, const Launches& launches);

}  // namespace assay::nsys
