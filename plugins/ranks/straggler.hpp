// Whether one rank holds up the others, by what it costs and how constantly, and what it takes longer.
#pragma once

#include <optional>

#include "waits.hpp"

namespace assay::ranks {

struct Thresholds {
  double slowdown = 0, steps = 0, share = 0;
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

struct Straggler {
  std::size_t rank = 0;  ///< of JobRows::ranks
  double slowdown = 1;   ///< greatest over mean, median of steps
  bool between = false;  ///< by what happens between steps
  Part cause = Part::kCompute;
};

/// The rank that costs at least `slowdown`, is the slowest in at least the share `steps` of them, and to which belongs
/// at least the `share` of all waiting.
std::optional<Straggler> find_straggler(const Waits& waits, const Slowdown& own, const Slowdown& cycle,
                                        const std::vector<std::vector<double>>& excess, const Thresholds& thresholds);

}  // namespace assay::ranks
