// Gaps that are long enough to be named one by one: a compilation, a checkpoint, a loader that does not keep up.
#pragma once

#include <map>
#include <string>

#include "algo/idle/idle.hpp"

namespace assay::idle {

inline constexpr std::int64_t kLongGap = 10'000'000;  // ns

/// Of all devices together.
class LongGaps {
 public:
  void add(std::int32_t device, const Gap& gap, const CauseTimes& causes);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const CauseTimes& times() const { return times_; }

  /// The folded name of the ranges that cover most of these gaps, the innermost of several that cover nearly as much,
  /// and ns that they cover; empty: none covers any.
  [[nodiscard]] std::pair<std::string, std::int64_t> range(const Report& report) const;

 private:
  std::map<std::int32_t, Intervals> gaps_;  ///< by device, by time
  CauseTimes times_{};
  std::int64_t count_ = 0;
};

}  // namespace assay::idle
