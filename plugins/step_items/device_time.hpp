// Assigns each instant of the steps to exactly one item.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/algo/steps.hpp"

namespace assay::step_items {

/// Device work of an item.
struct ItemWork {
  std::int64_t start, end;
  std::uint32_t item;
  Row call;  ///< that launched it; kNone: not recorded
};

/// Add classes of device work in order of precedence.
class DeviceTime {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  explicit DeviceTime(std::span<const step::Step> steps);

  /// Adds to `wall[item]` the time of its work that is in a step, not covered by an earlier class, and not covered by
  /// work of its own class that began before it. `work` is sorted by start.
  void add(std::span<const ItemWork> work, std::vector<std::int64_t>& wall);

  /// Calls `use(idle, gap)` for time not covered by work, step by step, in order. `gap`: from the work before to the
  /// work after it, which may lie outside of the step; kNever: there is none.
  template <class Use>
  void each_idle(const Use& use) const {
    auto cover = covered_.begin();
    for (const Interval& step : steps_) {
      while (cover != covered_.end() && cover->end <= step.start) ++cover;
      std::int64_t at = step.start;
      for (auto c = cover; at < step.end; ++c) {
        const Interval gap{c == covered_.begin() ? -kNever : std::prev(c)->end,
                           c == covered_.end() ? kNever : c->start};
        if (gap.end > at) use(Interval{at, std::min(gap.end, step.end)}, gap);
        if (gap.end >= step.end) break;
        at = c->end;
      }
    }
  }

 private:
  void unite(Intervals own);

  std::vector<Interval> steps_;  ///< disjoint, by time
  Intervals covered_;            ///< by the classes so far, in normal form
};

}  // namespace assay::step_items
