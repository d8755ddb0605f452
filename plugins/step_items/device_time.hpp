// Assigns each instant of the steps to exactly one item.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/algo/steps.hpp"

namespace assay::step_items {

/// Device work of an item.
struct ItemWork {
  std::int64_t start, end;
  std::uint32_t item;
};

/// Add classes of device work in order of precedence.
class DeviceTime {
 public:
  explicit DeviceTime(std::span<const step::Step> steps);

  /// Adds to `wall[item]` the time of its work that is in a step, not covered by an earlier class, and not covered by
  /// work of its own class that began before it. `work` is sorted by start.
  void add(std::span<const ItemWork> work, std::vector<std::int64_t>& wall);

  /// Calls `use(interval)` for time not covered by work, step by step, in order.
  template <class Use>
  void each_idle(const Use& use) const {
    auto cover = covered_.begin();
    for (const Interval& step : steps_) {
      while (cover != covered_.end() && cover->end <= step.start) ++cover;
      std::int64_t at = step.start;
      for (auto c = cover; at < step.end && c != covered_.end() && c->start < step.end; ++c) {
        if (c->start > at) use(Interval{at, c->start});
        at = c->end;
      }
      if (at < step.end) use(Interval{at, step.end});
    }
  }

 private:
  void unite(Intervals own);

  std::vector<Interval> steps_;  ///< disjoint, by time
  Intervals covered_;            ///< by the classes so far, in normal form
};

}  // namespace assay::step_items
