// Assigns calls to iterations, and finds the gaps of a stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "assay/report.hpp"

namespace assay {

/// For each call the row of Report::iterations whose range contains it entirely, kNone if no range does. An iteration
/// has the calls of its process on any thread (autograd launches backward from another one); if it overlaps another
/// iteration in time, only those of its own thread. If several contain a call, the one that began last. Empty without
/// calls. Linear in calls and iterations, times a logarithm if iterations overlap.
std::vector<std::int32_t> iteration_of_calls(const Report& report);

/// Gaps of one stream whose rows arrive by start: measured from the greatest end so far, so that a long row covers
/// shorter ones that began after it.
class GapSweep {
 public:
  /// Adds a row, times in ns, and returns the ns between the greatest end before it and `start`: 0 if they touch or
  /// overlap, empty for the first row.
  std::optional<std::int64_t> add(std::int64_t start, std::int64_t end) {
    std::optional<std::int64_t> gap;
    if (started_) gap = std::max<std::int64_t>(0, start - reach_);
    reach_ = started_ ? std::max(reach_, end) : end;
    started_ = true;
    return gap;
  }
  /// Greatest end so far, in ns; empty before the first row.
  [[nodiscard]] std::optional<std::int64_t> reach() const {
    return started_ ? std::optional<std::int64_t>(reach_) : std::nullopt;
  }

 private:
  std::int64_t reach_ = 0;
  bool started_ = false;
};

}  // namespace assay
