// Extends a union of intervals by one interval at a time.
#pragma once

#include <algorithm>

#include "assay/algo/intervals.hpp"

namespace assay::detail {

/// Adds an interval to `normal`, a union in normal form. `next` must not start before any interval added earlier.
inline void add_by_start(Intervals& normal, Interval next) {
  if (next.end <= next.start) return;
  if (!normal.empty() && next.start <= normal.back().end) {
    normal.back().end = std::max(normal.back().end, next.end);
  } else {
    normal.push_back(next);
  }
}

}  // namespace assay::detail
