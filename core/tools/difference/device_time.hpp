// Each instant of the steps to the one item that accounts for it, exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/algo/steps.hpp"

namespace assay::difference {

/// A piece of device work of an item.
struct ItemWork {
  std::int64_t start, end;
  std::uint32_t item;
};

/// Takes classes of device work, the one that counts first given first.
class DeviceTime {
 public:
  explicit DeviceTime(std::span<const step::Step> steps);

  /// Adds to `wall[item]` what of the work lies in a step, is under no earlier class, and under no work of its class
  /// that began before it. `work` is sorted by start.
  void add(std::span<const ItemWork> work, std::vector<std::int64_t>& wall);

  /// What no work covers, step by step, in order.
  [[nodiscard]] Intervals idle() const;
  /// What is covered so far, in normal form.
  [[nodiscard]] const Intervals& covered() const { return covered_; }

 private:
  std::vector<Interval> steps_;
  Intervals covered_;
};

}  // namespace assay::difference
