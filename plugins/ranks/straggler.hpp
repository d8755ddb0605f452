// Whether one rank holds up the others: by how much it takes longer, how sure that is, and what takes longer.
#pragma once

#include <optional>

#include "clocks.hpp"
#include "waits.hpp"

namespace assay::ranks {

/// ns of the path on each rank, of each step of Matches::steps. From the last end of a step backwards; at an exposed
/// wait of more than 1 us the path goes on with the rank that came last, at its start. Needs usable clocks.
std::vector<std::vector<double>> critical_path(const JobRows& job, const Matches& matches, const Waits& waits,
                                               const Clocks& clocks);

/// When a rank is named.
struct NamingRule {
  double least_excess = 0;    ///< of its own time over the mean of the others', a share
  double false_names = 0.01;  ///< chance of naming any rank of a job whose ranks are equal
};

enum class Part : std::uint8_t { kCompute, kCopy, kIdle, kBetween };
inline constexpr std::string_view kPartNames[] = {"compute", "copy", "idle", "between"};

/// Ratios of each step from the second on, and of all.
struct Slowdown {
  std::vector<double> of_steps;  ///< greatest / mean of a step
  double median = 1, of_means = 1;
  std::vector<double> worst_share;  ///< of each rank: share of steps in which it is the greatest, the first of equals
  std::size_t greatest = 0;         ///< rank of the greatest mean
};
Slowdown slowdown_of(const Waits& waits, std::vector<double> RankWaits::* times);

/// [rank][part]: own minus the mean of the others', median over the steps from the second on.
std::vector<std::vector<double>> excesses(const Waits& waits);

/// By how much one rank takes longer than the mean of the others in the same step, as a share of that mean.
struct PairedExcess {
  double mean = 0;  ///< over the steps from the second on, a fifth trimmed at each end
  double low = 0;   ///< lower limit, such that with equal ranks any rank of the job is above 0 with the rule's chance
};
/// [rank]. A step is compared with itself, so what slows all ranks alike cancels. Intervals are by the trimmed t (Tukey
/// and McLaughlin 1963; Yuen 1974), Bonferroni over the ranks and both measures of time; steps that resemble their
/// neighbours count as fewer. Fewer than three steps have no limit (-infinity).
std::vector<PairedExcess> paired_excess(const Waits& waits, std::vector<double> RankWaits::* times, double false_names);

struct Straggler {
  std::size_t rank = 0;  ///< of JobRows::ranks
  PairedExcess excess;
  Part cause = Part::kCompute;
};

/// The one rank whose excess in own time, or else from step to step, is at least `least_excess` and beyond its noise;
/// nothing where none is, or where several are.
std::optional<Straggler> find_straggler(const Waits& waits, const std::vector<std::vector<double>>& parts,
                                        const NamingRule& rule);

}  // namespace assay::ranks
