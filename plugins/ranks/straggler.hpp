// Whether one rank delays the others: by how much, with what certainty, and which part of its time is longer.
#pragma once

#include <optional>

#include "clocks.hpp"
#include "waits.hpp"

namespace assay::ranks {

/// ns of the path on each rank, for each step of Matches::steps. Followed backwards from the last end of a step; at an
/// exposed wait of more than 1 us the path continues on the rank that arrived last, at its start. Requires usable
/// clocks.
std::vector<std::vector<double>> critical_path(const JobRows& job, const Matches& matches, const Waits& waits,
                                               const Clocks& clocks);

/// When a rank is named.
struct NamingRule {
  double least_excess = 0;    ///< of its own time over the mean of the others', a share
  double false_names = 0.01;  ///< probability of naming any rank of a job with equal ranks
};

enum class Part : std::uint8_t { kCompute, kCopy, kIdle, kBetween };
inline constexpr std::string_view kPartNames[] = {"compute", "copy", "idle", "between"};

/// Ratios for each step from the second on, and for all.
struct Slowdown {
  std::vector<double> of_steps;  ///< maximum / mean of a step
  double median = 1, of_means = 1;
  std::vector<double> worst_share;  ///< by rank: share of steps in which it is the largest, the first of equals
  std::size_t greatest = 0;         ///< rank with the largest mean
};
Slowdown slowdown_of(const Waits& waits, std::vector<double> RankWaits::* times);

/// [rank][part]: own minus the mean of the others', median over the steps from the second on.
std::vector<std::vector<double>> excesses(const Waits& waits);

/// How much longer a rank takes than the mean of the others in the same step, as a share of that mean.
struct PairedExcess {
  double mean = 0;  ///< over the steps from the second on, with a fifth trimmed at each end
  double low = 0;   ///< lower limit: with equal ranks, the probability that it is above 0 for any rank of the job is
                    ///< that of the rule
};
/// [rank]. Comparing within a step cancels what slows all ranks equally. Intervals are by the trimmed t (Tukey and
/// McLaughlin 1963; Yuen 1974), Bonferroni over the ranks and both measures of time; correlated neighbouring steps
/// count as fewer. With fewer than three steps the limit is -infinity.
std::vector<PairedExcess> paired_excess(const Waits& waits, std::vector<double> RankWaits::* times, double false_names);

struct Straggler {
  std::size_t rank = 0;  ///< of JobRows::ranks
  PairedExcess excess;
  Part cause = Part::kCompute;
};

/// The only rank whose excess in own time, or else from step to step, is at least `least_excess` and beyond its noise;
/// empty if there is none or several.
std::optional<Straggler> find_straggler(const Waits& waits, const std::vector<std::vector<double>>& parts,
                                        const NamingRule& rule);

}  // namespace assay::ranks
