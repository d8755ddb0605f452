// Who is named a straggler among ranks whose steps jitter: detection and false names, by simulation.
#include "assay/detail/random.hpp"
#include "plugins/ranks/straggler.hpp"
#include "support/test.hpp"

namespace assay::ranks::ranks_straggler_test {

struct Jittery {
  std::size_t ranks = 2, steps = 50;
  double jitter = 0.02, slower = 0;  ///< shares of a step; the last rank is slower
  double r = 0;                      ///< lag-1 autocorrelation of the jitter
};

Waits waits_of(const Jittery& job, std::uint64_t seed) {
  Random random(seed);
  Waits waits;
  waits.all = 1;
  for (std::size_t k = 0; k < job.ranks; ++k) {
    RankWaits& rank = waits.ranks.emplace_back();
    double state = random.normal();
    for (std::size_t s = 0; s <= job.steps; ++s) {
      rank.own.push_back(1e7 * (1 + job.jitter * state + (k + 1 == job.ranks ? job.slower : 0)));
      rank.cycle.push_back(rank.own.back() * 1.01);
      state = job.r * state + std::sqrt(1 - job.r * job.r) * random.normal();
    }
  }
  return waits;
}

/// How many of `count` jobs name the last rank, and another one.
std::pair<int, int> named(const Jittery& job, int count) {
  const std::vector<std::vector<double>> parts(job.ranks, std::vector<double>(std::size(kPartNames), 0));
  std::pair<int, int> out;
  for (int i = 0; i < count; ++i) {
    const auto found = find_straggler(waits_of(job, static_cast<std::uint64_t>(i) * 977 + job.ranks * 31 + job.steps),
                                      parts, {.least_excess = 0.01, .false_names = 0.01});
    if (found) ++(found->rank + 1 == job.ranks && job.slower > 0 ? out.first : out.second);
  }
  return out;
}

TEST(Straggler, TwoPercentSlowerWithTwoPercentJitterIsFoundInFiftySteps) {
  for (const std::size_t ranks : {2U, 4U, 8U, 32U}) {
    const auto [right, wrong] = named({.ranks = ranks, .slower = 0.02}, 200);
    EXPECT_GE(right, 160) << ranks;
    EXPECT_LE(wrong, 2) << ranks;
  }
}

TEST(Straggler, IsAbsentAmongEqualRanks) {
  for (const std::size_t ranks : {2U, 8U, 32U}) {
    for (const std::size_t steps : {10U, 50U}) {
      EXPECT_LE(named({.ranks = ranks, .steps = steps}, 400).second, 9) << ranks << " ranks, " << steps << " steps";
      EXPECT_LE(named({.ranks = ranks, .steps = steps, .jitter = 0.05, .r = 0.5}, 200).second, 8)
          << "steps that resemble their neighbours";
    }
  }
}

TEST(Straggler, LessThanTheLeastExcessIsNotNamedHoweverSure) {
  EXPECT_EQ(named({.jitter = 0.0001, .slower = 0.005}, 20), std::pair(0, 0));
  EXPECT_EQ(named({.jitter = 0.0001, .slower = 0.015}, 20), std::pair(20, 0));
}

TEST(Straggler, TwoSlowRanksOrTwoStepsNameNoRank) {
  Waits two = waits_of({.ranks = 4, .jitter = 0.001, .slower = 0.05}, 1);
  for (double& time : two.ranks[0].own) time *= 1.05;
  for (double& time : two.ranks[0].cycle) time *= 1.05;
  const std::vector<std::vector<double>> parts(4, std::vector<double>(std::size(kPartNames), 0));
  EXPECT_EQ(find_straggler(two, parts, {.least_excess = 0.01, .false_names = 0.01}), std::nullopt);
  EXPECT_EQ(find_straggler(waits_of({.ranks = 4, .steps = 2, .jitter = 0.001, .slower = 0.05}, 1), parts,
                           {.least_excess = 0.01, .false_names = 0.01}),
            std::nullopt);
}

}  // namespace assay::ranks::ranks_straggler_test
