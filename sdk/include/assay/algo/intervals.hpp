// Half-open intervals of integer nanoseconds: union, measure, intersection, difference, complement.
//
// Normal form: sorted by start, disjoint, not touching, none empty. `merge` makes it; everything else expects and gives
// it.
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

using Intervals = std::vector<Interval>;

/// Union of intervals in any order, in normal form. Linear when they are sorted by start, else n log n.
inline Intervals merge(std::span<const Interval> intervals) {
  const auto by_start = [](const Interval& a, const Interval& b) { return a.start < b.start; };
  Intervals sorted;
  if (!std::is_sorted(intervals.begin(), intervals.end(), by_start)) {
    sorted.assign(intervals.begin(), intervals.end());
    std::sort(sorted.begin(), sorted.end(), by_start);
    intervals = sorted;
  }
  Intervals out;
  for (const Interval& i : intervals) {
    if (i.end <= i.start) continue;
    if (!out.empty() && i.start <= out.back().end) {
      out.back().end = std::max(out.back().end, i.end);
    } else {
      out.push_back(i);
    }
  }
  return out;
}

/// Total length in ns.
inline std::int64_t measure(std::span<const Interval> normal) {
  std::int64_t total = 0;
  for (const Interval& i : normal) total += i.end - i.start;
  return total;
}

/// What lies in both. Linear.
inline Intervals intersect(std::span<const Interval> a, std::span<const Interval> b) {
  Intervals out;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval common{std::max(a[i].start, b[j].start), std::min(a[i].end, b[j].end)};
    if (common.start < common.end) out.push_back(common);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return out;
}

/// What lies in `a` and not in `b`. Linear.
inline Intervals subtract(std::span<const Interval> a, std::span<const Interval> b) {
  Intervals out;
  std::size_t j = 0;
  for (Interval rest : a) {
    while (j < b.size() && b[j].end <= rest.start) ++j;
    for (std::size_t k = j; k < b.size() && b[k].start < rest.end; ++k) {
      if (rest.start < b[k].start) out.push_back({rest.start, b[k].start});
      rest.start = std::max(rest.start, b[k].end);
      j = k;
    }
    if (rest.start < rest.end) out.push_back(rest);
  }
  return out;
}

/// What lies in `within` and not in `normal`.
inline Intervals complement(std::span<const Interval> normal, Interval within) {
  if (within.end <= within.start) return {};
  return subtract({&within, 1}, normal);
}

/// What lies in both `normal` and `within`.
inline Intervals clip(std::span<const Interval> normal, Interval within) {
  if (within.end <= within.start) return {};
  return intersect(normal, {&within, 1});
}

/// Length of the union of intervals that arrive by start, without keeping them.
class UnionMeasure {
 public:
  /// `start` must not be below the previous call's start. Empty intervals add nothing.
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

/// Fills RangeTable::reach for rows sorted by start: the greatest end in the implicit subtree of each row, where the
/// middle of a slice is its root, as `visit_spans_around` in report.hpp walks it. The three have one size.
inline void compute_reach(std::span<const std::int64_t> start, std::span<const std::int64_t> end,
                          std::span<std::int64_t> reach) {
  assert(start.size() == end.size() && end.size() == reach.size());
  assert(std::is_sorted(start.begin(), start.end()));
  (void)start;
  const auto fill = [&](const auto& self, std::size_t first, std::size_t last) -> void {
    const std::size_t middle = first + (last - first) / 2;
    reach[middle] = end[middle];
    if (first < middle) {
      self(self, first, middle);
      reach[middle] = std::max(reach[middle], reach[first + (middle - first) / 2]);
    }
    if (middle + 1 < last) {
      self(self, middle + 1, last);
      reach[middle] = std::max(reach[middle], reach[middle + 1 + (last - middle - 1) / 2]);
    }
  };
  if (!end.empty()) fill(fill, 0, end.size());
}

}  // namespace assay
