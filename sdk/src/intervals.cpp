#include "assay/algo/intervals.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "add_by_start.hpp"

namespace assay {

Intervals merge(std::span<const Interval> intervals) {
  const auto by_start = [](const Interval& a, const Interval& b) { return a.start < b.start; };
  Intervals sorted;
  if (!std::is_sorted(intervals.begin(), intervals.end(), by_start)) {
    sorted.assign(intervals.begin(), intervals.end());
    std::sort(sorted.begin(), sorted.end(), by_start);
    intervals = sorted;
  }
  Intervals out;
  out.reserve(intervals.size());
  for (const Interval& i : intervals) detail::add_by_start(out, i);
  return out;
}

std::int64_t measure(std::span<const Interval> normal) {
  std::int64_t total = 0;
  for (const Interval& i : normal) total += i.end - i.start;
  return total;
}

Intervals intersect(std::span<const Interval> a, std::span<const Interval> b) {
  Intervals out;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval common{std::max(a[i].start, b[j].start), std::min(a[i].end, b[j].end)};
    if (common.start < common.end) out.push_back(common);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return out;
}

Intervals subtract(std::span<const Interval> a, std::span<const Interval> b) {
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

Intervals complement(std::span<const Interval> normal, Interval within) {
  if (within.end <= within.start) return {};
  return subtract({&within, 1}, normal);
}

Intervals clip(std::span<const Interval> normal, Interval within) {
  if (within.end <= within.start) return {};
  return intersect(normal, {&within, 1});
}

void compute_reach(std::span<const std::int64_t> start, std::span<const std::int64_t> end,
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
