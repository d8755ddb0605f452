// Gaps long enough to be reported individually: a compilation, a checkpoint, a loader that is too slow.
#pragma once

#include <map>
#include <string>

#include "assay/detail/idle.hpp"

namespace assay::idle {

inline constexpr std::int64_t kLongGap = 10'000'000;  // ns

/// Long gaps of all devices together.
class LongGaps {
 public:
  void add(std::int32_t device, const Gap& gap, const CauseTimes& causes);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const CauseTimes& times() const { return times_; }

  /// The folded name of the ranges that cover most of these gaps and the ns that they cover; of several with nearly
  /// equal cover the innermost. Empty: no range covers any.
  [[nodiscard]] std::pair<std::string, std::int64_t> range(const Report& report) const;

 private:
  std::map<std::int32_t, Intervals> gaps_;  ///< by device, sorted by time
  CauseTimes times_{};
  std::int64_t count_ = 0;
};

}  // namespace assay::idle
