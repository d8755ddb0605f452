// Begin and end of a range's work on the GPU.
#pragma once

#include <optional>

#include "ranges.hpp"

namespace assay::nsys {

/// A range projected onto the GPU: first start and last end of the work launched inside.
struct ProjectedRange {
  std::int64_t first = 0, last = 0;
  std::int64_t works = 0;  ///< number of pieces; 0: none, and no times
  std::int64_t ids = 0;    ///< distinct correlation ids of the work; the nodes of a graph launch share one
  /// The number of pieces as counted by nsys, or the actual one.
  [[nodiscard]] std::int64_t counted(bool corrected) const { return corrected ? works : ids; }
};

/// For every instance. Logarithmic per instance if calls of a thread end in the order in which they start, for any
/// ranges; empty if they do not and testing every pair would take too long.
std::optional<std::vector<ProjectedRange>> project(const RangeHits& hits, const Launches& launches,
                                                   const CallTable& calls);

}  // namespace assay::nsys
