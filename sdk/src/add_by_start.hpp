// One interval more of a union that is made as intervals come.
#pragma once

#include <algorithm>

#include "assay/algo/intervals.hpp"

namespace assay::detail {

/// Unites `normal`, in normal form, with an interval that starts no earlier than any before it did.
inline void add_by_start(Intervals& normal, Interval next) {
  if (next.end <= next.start) return;
  if (!normal.empty() && next.start <= normal.back().end) {
    normal.back().end = std::max(normal.back().end, next.end);
  } else {
    normal.push_back(next);
  }
}

}  // namespace assay::detail
