// Device work of each process in order of its launches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "assay/report.hpp"

namespace assay::step {

/// Work of one launching call; work without one stands for itself, at its start.
struct Launch {
  std::int64_t at = 0;                                            ///< ns, start of the call
  std::int64_t time = 0;                                          ///< ns, sum of durations
  std::int64_t start = std::numeric_limits<std::int64_t>::max();  ///< ns, on the device
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  std::uint32_t count = 0;
  bool recorded = true;  ///< the call is in the profile, or the profile has no calls
};

/// The launches of one process, by time.
class Launches {
 public:
  [[nodiscard]] std::span<const Launch> in(std::int64_t from, std::int64_t to) const {
    const std::size_t first = first_from(from);
    return std::span(all_).subspan(first, std::max(first, first_from(to)) - first);
  }
  /// ns of device work launched in [from, to), without what was launched before the recording.
  [[nodiscard]] std::int64_t time(std::int64_t from, std::int64_t to) const {
    return std::max<std::int64_t>(0, before_[first_from(to)] - before_[first_from(from)]);
  }
  [[nodiscard]] std::int64_t total() const { return before_.back(); }
  /// When the first work began whose launch is in the profile; the largest time if there is none.
  [[nodiscard]] std::int64_t first_recorded() const { return first_recorded_; }

 private:
  friend std::vector<Launches> launches_of(const Report& report);
  [[nodiscard]] std::size_t first_from(std::int64_t time) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(all_, time, {}, &Launch::at) - all_.begin());
  }

  std::vector<Launch> all_;
  std::vector<std::int64_t> before_{0};  ///< sum of the times before each launch
  std::int64_t first_recorded_ = std::numeric_limits<std::int64_t>::max();
};

/// By row of processes.
std::vector<Launches> launches_of(const Report& report);

}  // namespace assay::step
