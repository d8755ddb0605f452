// How far the clocks of the ranks' files can be trusted, by causality: no rank leaves a collective that synchronises
// before the last one has come.
#pragma once

#include <algorithm>
#include <cmath>

#include "waits.hpp"

namespace assay::ranks {

/// A rank's clock against the first rank's; ns. The offset is what is added to it; of a clock that runs at another rate
/// it grows along a line, and `low`, `high` and `used` are those at `pivot`.
struct RankClock {
  bool known = false;                    ///< a chain of groups leads to the first rank
  bool fits = true;                      ///< an offset, or a line, satisfies all collectives
  bool drifts = false;                   ///< no one offset does, but a line
  std::int64_t base_difference = 0;      ///< origin - that of the first rank
  std::int64_t low = 0, high = 0;        ///< what may be added to it
  std::int64_t used = 0;                 ///< what is added
  double slope = 0;                      ///< ns that are added more with every ns
  std::int64_t pivot = 0;                ///< a time of the capture, with base_difference in it
  double slope_low = 0, slope_high = 0;  ///< what the slope may be, where it drifts
  std::vector<double> end_differences;   ///< ends of matched collectives - those of the group's first member
  std::vector<double> end_times;         ///< of those: the ends on the first member, in its file

  /// How far `used` may be off.
  [[nodiscard]] std::int64_t uncertainty() const { return std::max(high - used, used - low); }
  [[nodiscard]] std::int64_t on_first(std::int64_t time) const {
    const std::int64_t own = time + base_difference;
    return own + used + (slope == 0 ? 0 : std::llround(slope * static_cast<double>(own - pivot)));
  }
};

struct Clocks {
  std::vector<RankClock> ranks;
  std::int64_t uncertainty = 0;  ///< of the difference of any two ranks' clocks, at most
  bool usable = false;           ///< all ranks have origins and offsets that fit

  /// A time of a rank on the first rank's clock.
  [[nodiscard]] std::int64_t on_first(std::size_t rank, std::int64_t time) const { return ranks[rank].on_first(time); }
};

Clocks find_clocks(const JobRows& job, const Matches& matches);

/// Of the matched collectives from the second step on.
struct Skews {
  std::vector<double> skew;                          ///< last - first start
  std::vector<std::vector<double>> wait_by_arrival;  ///< of each rank, by step
  std::vector<std::int64_t> last_by_arrival;         ///< of each rank
  std::vector<std::vector<double>> arrivals;         ///< of each rank: starts - those of the group's first member
};
Skews find_skews(const JobRows& job, const Matches& matches, const Clocks& clocks);

}  // namespace assay::ranks
