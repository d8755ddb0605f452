// How far the clocks of the ranks' files can be trusted, by causality: no rank leaves a collective that synchronises
// before the last one has come.
#pragma once

#include <optional>

#include "waits.hpp"

namespace assay::ranks {

/// A rank's clock against the first rank's; ns.
struct RankClock {
  bool known = false;                   ///< a chain of groups leads to the first rank
  std::int64_t base_difference = 0;     ///< origin - that of the first rank
  std::int64_t low = 0, high = 0;       ///< what may be added to it
  std::int64_t used = 0;                ///< what is added
  bool drifts = false;                  ///< no one offset satisfies all collectives
  std::vector<double> end_differences;  ///< ends of matched collectives - those of the group's first member
  std::vector<double> end_times;        ///< of those: the ends on the first member, in its file
};

struct Clocks {
  std::vector<RankClock> ranks;
  std::int64_t uncertainty = 0;  ///< of the difference of any rank's clock to the first rank's, at most
  bool usable = false;           ///< all ranks have origins and offsets, and no clock drifts

  /// A time of a rank on the first rank's clock.
  [[nodiscard]] std::int64_t on_first(std::size_t rank, std::int64_t time) const {
    return time + ranks[rank].base_difference + ranks[rank].used;
  }
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
