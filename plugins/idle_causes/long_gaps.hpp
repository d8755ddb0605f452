// Gaps long enough to be reported individually: a compilation, a checkpoint, a loader that is too slow.
#pragma once

#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "algo/idle/idle.hpp"

namespace assay::idle {

inline constexpr std::int64_t kLongGap = 10'000'000;  // ns

/// Long gaps of all devices together.
class LongGaps {
 public:
  void add(std::int32_t device, const Gap& gap, const CauseTimes& causes);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const CauseTimes& times() const { return times_; }
  [[nodiscard]] std::int64_t time() const { return std::accumulate(times_.begin(), times_.end(), std::int64_t{0}); }

  using TimeOfName = std::pair<std::string, std::int64_t>;
  /// The folded name of the ranges that cover most of these gaps and the ns that they cover; of several with nearly
  /// equal cover the innermost. Empty: no range covers any.
  [[nodiscard]] TimeOfName range(const Report& report) const;
  /// Like `range`, for API calls.
  [[nodiscard]] TimeOfName call(const Report& report) const;

 private:
  struct Stretches {
    std::uint64_t rows;
    Column<std::int64_t> start, end;
    Column<StringId> name;
    Column<std::uint8_t> counts = {};  ///< 0: the row is left out; absent: none is
  };
  [[nodiscard]] TimeOfName mostly_in(const Report& report, std::span<const Stretches> tables) const;

  std::map<std::int32_t, Intervals> gaps_;  ///< by device, sorted by time
  CauseTimes times_{};
  std::int64_t count_ = 0;
};

}  // namespace assay::idle
