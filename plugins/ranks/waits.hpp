// Waiting between ranks, from durations only: in a matched collective the rank with the shortest duration arrived last,
// and the excess of the others is waiting. Needs no clock.
#pragma once

#include "matching.hpp"

namespace assay::ranks {

/// Numbers of one rank, one per step of Matches::steps; ns.
struct RankWaits {
  std::vector<double> wait, wait_exposed;
  std::vector<double> own;                       ///< window - wait_exposed
  std::vector<double> cycle;                     ///< own time plus time since the end of the previous step; 0 for the
                                                 ///< first step
  std::vector<double> compute, copy, idle, gap;  ///< parts of the step; gap: since the end of the previous step
  double caused = 0;                             ///< waiting of others in collectives at which it arrived last, ties
                                                 ///< split
  std::int64_t last_count = 0;                   ///< collectives at which it arrived last; the first of equals
};

struct Waits {
  std::vector<RankWaits> ranks;
  std::vector<std::int64_t> transfer;  ///< by match: the minimum duration
  std::vector<std::uint32_t> last;     ///< by match: the member with the minimum, the first of equals
  std::vector<double> transfer_sum;    ///< of each step
  double all = 0;                      ///< waiting of all ranks in the steps from the second on
};

/// Kinds that do not synchronise all ranks, and groups with one member, have no wait.
Waits find_waits(const JobRows& job, const Matches& matches);

/// Whether a match is evidence of waiting.
bool tells(const JobRows& job, const Matches& matches, const Match& m);

}  // namespace assay::ranks
