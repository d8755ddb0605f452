// Finds when no device ran anything.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "algo/idle/idle_gaps.hpp"
#include "assay/report.hpp"

namespace assay::difference {

/// Gaps between pieces of work on any device, by time; the first begins before all time. Borrows the report and copies
/// none of its work.
class DeviceGaps {
 public:
  explicit DeviceGaps(const Report& report);

  /// The next gap; empty after the last work.
  std::optional<idle::Gap> next();

 private:
  /// Cursor in one table.
  struct Track {
    std::size_t row = 0, rows = 0;
    Column<std::int64_t> starts, ends;
    Column<Row> calls;
    Column<Membership> membership;
    std::int64_t start = 0;  ///< of `row`; kNever: at the end
  };
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  static void close_gap(Track& track);

  std::array<Track, 4> tracks_;
  std::int64_t reach_ = std::numeric_limits<std::int64_t>::min();  ///< latest end of the work so far
};

}  // namespace assay::difference
