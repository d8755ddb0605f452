// Half-open intervals of integer nanoseconds: union, measure, intersection, difference, complement.
//
// Normal form: sorted by start, disjoint, not touching, none empty. `merge` creates it; all other functions expect and
// return it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

/// [start, end) in ns. Empty when end <= start.
struct Interval {
  std::int64_t start = 0, end = 0;
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

/// Intervals in normal form, unless stated otherwise.
using Intervals = std::vector<Interval>;

/// Union of intervals in any order, in normal form. Linear if they are sorted by start, else n log n.
Intervals merge(std::span<const Interval> intervals);

/// Total length in ns; 0 when empty.
std::int64_t measure(std::span<const Interval> normal);

/// Intersection of `a` and `b`. Linear.
Intervals intersect(std::span<const Interval> a, std::span<const Interval> b);

/// Parts of `a` outside of `b`. Linear.
Intervals subtract(std::span<const Interval> a, std::span<const Interval> b);

/// Parts of `within` outside of `normal`; empty if `within` is. Linear.
Intervals complement(std::span<const Interval> normal, Interval within);

/// Parts of `normal` inside `within`; empty if `within` is. Linear.
Intervals clip(std::span<const Interval> normal, Interval within);

/// Length of the union of intervals that arrive by start, in constant memory.
class UnionMeasure {
 public:
  /// Adds [start, end). `start` must not be below that of the previous call. Empty intervals add nothing.
  void add(std::int64_t start, std::int64_t end) {
    assert(!started_ || start >= last_start_);
    last_start_ = start;
    if (!started_ || start > reach_) {
      started_ = true;
      reach_ = start;
    }
    if (end > reach_) {
      total_ += end - reach_;
      reach_ = end;
    }
  }
  /// ns covered so far.
  [[nodiscard]] std::int64_t total() const { return total_; }

 private:
  std::int64_t total_ = 0, reach_ = 0, last_start_ = 0;
  bool started_ = false;
};

/// Fills RangeTable::reach for rows sorted by start: the greatest end in the implicit subtree of each row, whose root
/// is the middle of a slice, as walked by `visit_spans_around` in report.hpp. All three have equal size, possibly 0.
void compute_reach(std::span<const std::int64_t> start, std::span<const std::int64_t> end,
                   std::span<std::int64_t> reach);

}  // namespace assay
