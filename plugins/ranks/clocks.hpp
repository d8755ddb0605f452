// Checks the clocks of the ranks' files by causality: no rank leaves a synchronising collective before the last one has
// arrived.
#pragma once

#include <algorithm>
#include <cmath>

#include "waits.hpp"

namespace assay::ranks {

/// A rank's clock relative to the first rank's; ns. The offset is added to it. For a clock with another rate it changes
/// along a line, and `low`, `high` and `used` are those at `pivot`.
struct RankClock {
  bool known = false;                    ///< connected to the first rank by a chain of groups
  bool fits = true;                      ///< an offset or a line satisfies all collectives
  bool drifts = false;                   ///< a line does, but no constant offset
  std::int64_t base_difference = 0;      ///< origin minus that of the first rank
  std::int64_t low = 0, high = 0;        ///< bounds on the offset
  std::int64_t used = 0;                 ///< what is added
  double slope = 0;                      ///< additional ns per ns
  std::int64_t pivot = 0;                ///< a time of the capture, including base_difference
  double slope_low = 0, slope_high = 0;  ///< bounds on the slope, if it drifts
  std::vector<double> end_differences;   ///< ends of matched collectives minus those of the group's first member
  std::vector<double> end_times;         ///< of those: the ends on the first member, in its file

  /// Error bound of `used`.
  [[nodiscard]] std::int64_t uncertainty() const { return std::max(high - used, used - low); }
  [[nodiscard]] std::int64_t on_first(std::int64_t time) const {
    const std::int64_t own = time + base_difference;
    return own + used + (slope == 0 ? 0 : std::llround(slope * static_cast<double>(own - pivot)));
  }
};

struct Clocks {
  std::vector<RankClock> ranks;
  std::int64_t uncertainty = 0;  ///< upper bound for the difference of any two ranks' clocks
  bool usable = false;           ///< all ranks have origins and offsets that fit

  /// A time of a rank on the first rank's clock.
  [[nodiscard]] std::int64_t on_first(std::size_t rank, std::int64_t time) const { return ranks[rank].on_first(time); }
};

Clocks find_clocks(const JobRows& job, const Matches& matches);

/// For the matched collectives from the second step on.
struct Skews {
  std::vector<double> skew;                          ///< last start minus first start
  std::vector<std::vector<double>> wait_by_arrival;  ///< by rank, then step
  std::vector<std::int64_t> last_by_arrival;         ///< of each rank
  std::vector<std::vector<double>> arrivals;         ///< by rank: starts minus those of the group's first member
};
Skews find_skews(const JobRows& job, const Matches& matches, const Clocks& clocks);

}  // namespace assay::ranks
