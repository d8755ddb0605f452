// The rule at the top of spread.hpp; its error rates are simulated in tests/simulate.
#include "assay/detail/spread.hpp"

#include <random>

#include "assay/algo/distributions.hpp"
#include "support/test.hpp"

namespace assay::spread_test {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

TEST(SpreadPrior, GroupsThatAgreeAreWorthTheirPooledVariance) {
  const std::vector<SpreadGroup> groups(6, {0.02, 2});
  const SpreadPrior prior = spread_prior(groups);
  EXPECT_DOUBLE_EQ(prior.variance, 0.01);
  EXPECT_EQ(prior.degrees, 12);
  EXPECT_EQ(prior.worth, kUnbounded);
}

TEST(SpreadPrior, UnlikeGroupsAreWorthLittle) {
  std::vector<SpreadGroup> groups(20, {0.02, 2});
  for (std::size_t i = 0; i < 4; ++i) groups[i].squares = 2;
  const SpreadPrior prior = spread_prior(groups);
  EXPECT_GT(prior.worth, 0);
  EXPECT_LT(prior.worth, 1.5);
}

TEST(SpreadPrior, TwoGroupsTellNothingOfAThird) {
  const std::vector<SpreadGroup> groups(2, {0.02, 2});
  EXPECT_EQ(spread_prior(groups).worth, 0);
}

TEST(SpreadPrior, WithoutAnySpreadTheIntervalIsAPoint) {
  const std::vector<SpreadGroup> groups(3, {0, 2});
  const RunMean sides[] = {{3, 0, 0}, {3, 1, 0}};
  EXPECT_EQ(mean_error(sides, spread_prior(groups), 0.95)->half, 0);
}

TEST(MeanError, FewRunsNeverLookMorePreciseThanAllGroups) {
  std::vector<SpreadGroup> groups(10, {0.02, 2});
  groups.push_back({0, 2});  // three runs in one clock state
  groups.push_back({0, 2});
  const SpreadPrior prior = spread_prior(groups);
  const RunMean sides[] = {{3, 0, 0}, {3, 1, 0}};
  const double pooled = student_t_quantile(0.975, prior.degrees) * std::sqrt(prior.variance * 2 / 3);
  EXPECT_GE(mean_error(sides, prior, 0.95)->half, pooled * (1 - 1e-12));
}

TEST(MeanError, ANoisySideIsNotPooledAway) {
  std::vector<SpreadGroup> groups(10, {2e-4, 2});
  groups.push_back({2e-2, 2});
  const RunMean sides[] = {{3, 0, 2e-4}, {3, 1, 2e-2}};
  const auto error = mean_error(sides, spread_prior(groups), 0.95);
  // Its own variance is 0.01: a standard error of 0.058, with a few degrees of freedom.
  EXPECT_GT(error->half, student_t_quantile(0.975, 8) * std::sqrt(0.01 / 3));
  EXPECT_LT(error->degrees, 8);
}

TEST(MeanError, FromFiveRunsASideTheOwnSpreadIsEnough) {
  std::vector<SpreadGroup> groups(10, {2, 4});
  const RunMean sides[] = {{5, 0, 4e-4}, {5, 1, 4e-4}};
  groups.push_back({4e-4, 4});
  groups.push_back({4e-4, 4});
  const auto error = mean_error(sides, spread_prior(groups), 0.95);
  EXPECT_NEAR(error->half, student_t_quantile(0.975, 7) * std::sqrt(1e-4 * 2 / 5), 1e-12);
  EXPECT_NEAR(error->sd, 0.01, 1e-12);
}

/// Sides that differ tenfold: the degrees are those of the noisier one, never fewer than the smaller side's.
TEST(MeanError, SidesThatDifferTenfoldHaveTheDegreesOfTheNoisierOne) {
  const RunMean sides[] = {{5, 0, 1e-4}, {5, 1, 1e-2}};
  const std::vector<SpreadGroup> groups = {{1e-4, 4}, {1e-2, 4}};
  EXPECT_DOUBLE_EQ(mean_error(sides, spread_prior(groups), 0.95)->degrees, 4);
}

/// At most one interval in forty of a study's six lies apart from the truth where the sides differ in noise: by
/// simulation of the rule, at the level of one of three claims in six strata.
TEST(MeanError, ErrsNoMoreOftenThanPromisedWhereSidesDiffer) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise;
  constexpr std::size_t kStudies = 4000;
  std::size_t apart = 0;
  for (std::size_t i = 0; i < kStudies; ++i) {
    bool one = false;
    for (int stratum = 0; stratum < 18; ++stratum) {
      std::vector<double> base(5), treated(5);
      for (double& x : base) x = 0.005 * noise(random);
      for (double& x : treated) x = 0.05 * noise(random);
      const RunMean sides[] = {run_mean(base), run_mean(treated)};
      const std::vector<SpreadGroup> groups = {{sides[0].squares, 4}, {sides[1].squares, 4}};
      one = one || sides[1].mean - sides[0].mean > mean_error(sides, spread_prior(groups), 1 - 0.05 / 18)->half;
    }
    apart += one;
  }
  EXPECT_LT(static_cast<double>(apart) / kStudies, 0.0325) << "2.5 % are promised; Satterthwaite's degrees give 3.8 %";
}

/// One run a side among 19 unlike programs: the noisiest of them is as bad as it gets.
TEST(MeanError, ASingleRunIsAsNoisyAsTheNoisiestOfManyPrograms) {
  std::vector<SpreadGroup> groups;
  for (int g = 0; g < 19; ++g) groups.push_back({2e-6 * std::pow(2, g), 2});
  const RunMean sides[] = {{1, 0, 0}, {1, 1, 0}};
  const double largest = 1e-6 * std::pow(2, 18);
  const auto error = mean_error(sides, spread_prior(groups), 0.95);
  EXPECT_NEAR(error->half, student_t_quantile(0.975, 38) * std::sqrt(largest * 2), 1e-12);
  groups.erase(groups.begin());
  EXPECT_GT(mean_error(sides, spread_prior(groups), 0.95)->half, 1.5 * error->half) << "18 programs do not tell";
}

TEST(RunsNeeded, IsTheFirstNumberWhoseIntervalDecides) {
  const std::size_t n = runs_needed(0.05, 0.02, {0, kUnbounded, 0.95, 2}, 100);
  const auto half = [](std::size_t runs) {
    const double count = static_cast<double>(runs);
    return student_t_quantile(0.975, 2 * (count - 1)) * 0.02 * std::sqrt(2 / count);
  };
  EXPECT_LE(half(n), 0.05);
  EXPECT_GT(half(n - 1), 0.05);
  EXPECT_EQ(runs_needed(0, 0.02, {0, kUnbounded, 0.95, 2}, 50), 51U) << "at the bound nothing decides";
}

/// Against every number in turn: spreads and centres on both sides of both bounds, one side and two.
TEST(RunsNeeded, IsWhatTryingEveryNumberFinds) {
  constexpr std::size_t kMax = 300;
  const auto decided = [](double centre, double sd, const RunClaim& claim, std::size_t n) {
    const double runs = static_cast<double>(n), sides = static_cast<double>(claim.sides), all = sides * (runs - 1);
    const double degrees = n >= kOwnRuns ? std::max(runs - 1, all - 1) : all;
    const double half = student_t_quantile((1 + claim.level) / 2, degrees) * (sd * std::sqrt(sides / runs));
    return (centre - half >= claim.lo && centre + half <= claim.hi) || centre + half < claim.lo ||
           centre - half > claim.hi;
  };
  for (const std::size_t sides : {1U, 2U}) {
    for (const RunClaim& claim : {RunClaim{0, kUnbounded, 0.95, sides}, RunClaim{-0.03, 0.03, 0.99, sides}}) {
      for (const double centre : {-0.5, -0.031, -0.01, 0.0, 0.002, 0.029, 0.03, 0.2}) {
        for (const double sd : {0.0, 0.001, 0.01, 0.05, 0.4}) {
          std::size_t first = 2;
          while (first <= kMax && !decided(centre, sd, claim, first)) ++first;
          EXPECT_EQ(runs_needed(centre, sd, claim, kMax), first) << centre << " " << sd << " " << sides;
        }
      }
    }
  }
}

/// As many studies of that size decide as the plan says, by simulation.
TEST(RunsForPower, DecidesAsOftenAsPlanned) {
  const RunClaim claim{0, kUnbounded, 0.95, 2};
  const std::size_t n = runs_for_power(0.05, 0.04, claim, 0.9, 100);
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0, 0.04);
  std::size_t decided = 0;
  constexpr std::size_t kStudies = 4000;
  for (std::size_t i = 0; i < kStudies; ++i) {
    std::vector<double> base(n), treated(n);
    for (double& x : base) x = noise(random);
    for (double& x : treated) x = 0.05 + noise(random);
    const RunMean b = run_mean(base), t = run_mean(treated);
    const double count = static_cast<double>(n);
    const double sd = std::sqrt((b.squares + t.squares) / (2 * (count - 1)));
    if (t.mean - b.mean > student_t_quantile(0.975, 2 * (count - 1)) * sd * std::sqrt(2 / count)) ++decided;
  }
  EXPECT_NEAR(static_cast<double>(decided) / kStudies, 0.9, 0.03) << n;
  EXPECT_EQ(runs_for_power(0, 0.04, claim, 0.9, 50), 51U);
}

}  // namespace assay::spread_test
