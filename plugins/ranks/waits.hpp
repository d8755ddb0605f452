// Who waits for whom, from durations alone: of a matched collective the rank that took least came last, what the others
// took longer they waited. Needs no clock.
#pragma once

#include "matching.hpp"

namespace assay::ranks {

/// Numbers of one rank, one a step of Matches::steps; ns.
struct RankWaits {
  std::vector<double> wait, wait_exposed;
  std::vector<double> own;                       ///< window - wait_exposed
  std::vector<double> cycle;                     ///< own + since the end of the step before; 0 for the first step
  std::vector<double> compute, copy, idle, gap;  ///< parts of the step; gap: since the end of the step before
  double caused = 0;                             ///< waiting of others in collectives to which it came last, ties split
  std::int64_t last_count = 0;                   ///< to which it came last; the first of equals
};

struct Waits {
  std::vector<RankWaits> ranks;
  std::vector<std::int64_t> transfer;  ///< of each match: the least duration
  std::vector<std::uint32_t> last;     ///< of each match: the member that took least, the first of equals
  std::vector<double> transfer_sum;    ///< of each step
  double all = 0;                      ///< waiting of all ranks in the steps from the second on
};

/// Kinds that do not synchronise all ranks, and groups with one member, have no wait.
Waits find_waits(const JobRows& job, const Matches& matches);

/// Whether a match tells of waiting.
bool tells(const JobRows& job, const Matches& matches, const Match& m);

}  // namespace assay::ranks
