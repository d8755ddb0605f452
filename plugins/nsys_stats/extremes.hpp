// When the work of a range began and ended on the GPU.
#pragma once

#include <optional>

#include "ranges.hpp"

namespace assay::nsys {

/// The GPU's side of one range: first start and last end of what was launched inside.
struct ProjectedRange {
  std::int64_t first = 0, last = 0;
  std::int64_t works = 0;  ///< how many pieces; 0: none, and no times
  std::int64_t ids = 0;    ///< distinct correlation ids of them, which the nodes of a graph launch share
  /// As nsys counts pieces, or each.
  [[nodiscard]] std::int64_t counted(bool corrected) const { return corrected ? works : ids; }
};

/// Of every instance. Logarithmic for each where calls of a thread end in the order in which they start, whatever the
/// ranges do; nothing where they do not and looking at every pair would take too long.
std::optional<std::vector<ProjectedRange>> project(const RangeHits& hits, const Launches& launches,
                                                   const CallTable& calls);

}  // namespace assay::nsys
