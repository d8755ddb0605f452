// The interval that may be looked at after every block: its definition, and by simulation what it promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "studies.hpp"

namespace assay {
namespace {

using simulated::Noise;
using simulated::Rule;

/// log of the ratio of likelihoods of the t statistic: normal prior on the effect against none.
double log_martingale(double t, double n) {
  const double k = 1 + n * kSequencePrior;
  return -0.5 * std::log(k) + n / 2 * (std::log1p(t * t / (n - 1)) - std::log1p(t * t / (n - 1) / k));
}

TEST(Sequence, TheHalfWidthIsWhereTheMartingaleReachesOneInAlpha) {
  for (const double level : {0.95, 0.99, 0.9985}) {
    for (const std::size_t n : {6U, 10U, 30U, 200U}) {
      const double t = sequence_half_width(n, 1, level) * std::sqrt(static_cast<double>(n));
      EXPECT_NEAR(log_martingale(t, static_cast<double>(n)), -std::log(1 - level), 1e-9) << n << " at " << level;
    }
  }
  EXPECT_EQ(sequence_half_width(2, 1, 0.95), std::numeric_limits<double>::infinity()) << "two blocks say nothing";
}

/// The martingale starts at 1 and stays there on average, by quadrature over Student's t with n - 1 degrees.
TEST(Sequence, ItsRatioHasTheMeanOne) {
  for (const double n : {3.0, 5.0, 12.0}) {
    const double nu = n - 1;
    const double norm =
        std::exp(detail::log_gamma((nu + 1) / 2) - detail::log_gamma(nu / 2)) / std::sqrt(nu * std::numbers::pi);
    double sum = 0;
    constexpr int kSteps = 400000;
    for (int i = 0; i < kSteps; ++i) {
      const double u = (i + 0.5) / kSteps, t = std::tan(std::numbers::pi * (u - 0.5));
      const double density = norm * std::pow(1 + t * t / nu, -(nu + 1) / 2);
      sum += std::exp(log_martingale(t, n)) * density * std::numbers::pi * (1 + t * t) / kSteps;
    }
    EXPECT_NEAR(sum, 1, 2e-3) << n;
  }
}

TEST(Sequence, TheIntervalOnlyShrinksAndHoldsTheMean) {
  Random random("shrinks");
  Sequence sequence(0.95);
  SequenceInterval before;
  for (int i = 0; i < 40; ++i) {
    const SequenceInterval now = sequence.add(0.1 + 0.05 * random.normal());
    EXPECT_GE(now.lo, before.lo);
    EXPECT_LE(now.hi, before.hi);
    before = now;
  }
  EXPECT_LT(before.hi - before.lo, 0.11);
  EXPECT_TRUE(before.lo < 0.1 && before.hi > 0.1);
}

TEST(Sequence, NeighboursThatAreAlikeWidenTheInterval) {
  Sequence sequence(0.95);
  const double values[] = {1, 2, 4, 3, 5, 5.5};
  for (const double value : values) sequence.add(value);
  const double m = 20.5 / 6;
  double neighbours = 0, squares = 0;
  for (int i = 0; i < 6; ++i) squares += (values[i] - m) * (values[i] - m);
  for (int i = 1; i < 6; ++i) neighbours += (values[i] - m) * (values[i - 1] - m);
  EXPECT_NEAR(sequence.now().lag1, neighbours / squares, 1e-12);
  EXPECT_EQ(sequence_widening(0.3, 3), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(sequence_widening(-0.01, 100), std::sqrt(1.125 / 0.875), 1e-12) << "1.25 standard errors above none";
  EXPECT_EQ(sequence_widening(-0.9, 100), 1) << "never narrower";
  EXPECT_NEAR(sequence_widening(1, 100), std::sqrt(1.9 / 0.1), 1e-12) << "and not without end";
}

TEST(Sequence, BlocksNeededAreThoseOfTheInterval) {
  const std::size_t n = sequence_blocks_needed(0.1, 0.05, 0, 1, 0.95, 1000);
  EXPECT_LE(sequence_expected_half_width(n, 0.05, 0.95), 0.1);
  EXPECT_GT(sequence_expected_half_width(n - 1, 0.05, 0.95), 0.1);
  EXPECT_EQ(sequence_blocks_needed(0, 0.05, 0, 1, 0.95, 1000), 1001U) << "at the bound no number of blocks decides";
}

/// Spread and effect known, two ways: by formula, and by recording until it is decided, 300 times.
TEST(Sequence, PlannedBlocksAreThoseThatSimulationNeeds) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr std::size_t kMost = 200, kStudies = 300;
  Random random("power");
  for (const double effect : {0.02, 0.05, 0.1}) {
    for (const auto& [low, high] : {std::pair(0.0, kInf), std::pair(-0.15, 0.15)}) {
      constexpr double kSd = 0.05, kLevel = 0.95;
      const double away = std::isinf(high) ? effect : high - effect;  // from the nearest bound
      std::vector<std::size_t> needed;
      for (std::size_t s = 0; s < kStudies; ++s) {
        Sequence sequence(kLevel);
        std::size_t n = 0;
        for (bool open = true; open && n < kMost; ++n) {
          const SequenceInterval now = sequence.add(effect + kSd * random.normal());
          open = now.lo < low || now.hi > high;
        }
        needed.push_back(n);
      }
      std::sort(needed.begin(), needed.end());
      const auto median = static_cast<double>(needed[kStudies / 2]),
                 most = static_cast<double>(needed[kStudies * 9 / 10]);
      const auto seen = static_cast<double>(sequence_blocks_needed(effect, kSd, low, high, kLevel, kMost));
      const auto planned = static_cast<double>(sequence_blocks_for_power(effect, kSd, low, high, kLevel, 0.9, kMost));
      SCOPED_TRACE("effect " + std::to_string(effect) + ", " + std::to_string(away / kSd) +
                   " sd from the bound: median " + std::to_string(median) + " of " + std::to_string(seen) + ", 90 % " +
                   std::to_string(most) + " of " + std::to_string(planned));
      EXPECT_GE(seen, 0.7 * median - 1);
      EXPECT_LE(seen, 1.4 * median + 1);
      EXPECT_GE(planned, 0.8 * most - 1) << "no promise that is not kept";
      EXPECT_LE(planned, 1.6 * most + 1);
    }
  }
}

/// Lan and DeMets' own table: five looks equally far apart, one-sided 0.025.
TEST(Rivals, SpendingBoundsAreThoseOfTheLiterature) {
  const std::vector<double> bounds = simulated::spending_bounds(5, 0.05);
  const double expected[] = {4.877, 3.357, 2.680, 2.290, 2.031};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(bounds[static_cast<std::size_t>(i)], expected[i], 2e-3) << i;
}

class SequenceNoise : public ::testing::TestWithParam<Noise> {};

/// Three seeds fixed beforehand, 1,000 studies each of three claims in two strata with the truth at a bound, a look
/// after every block up to 30: at most 6.6 % with any false verdict.
TEST_P(SequenceNoise, FalseVerdictsStayBelowAlphaHoweverOftenOneLooks) {
  for (const char* seed : {"study 1", "study 2", "study 3"})
    EXPECT_LE(simulated::false_part(GetParam(), Rule::kSequence, 1000, seed), 0.066)
        << simulated::name_of(GetParam()) << ", " << seed;
}

INSTANTIATE_TEST_SUITE_P(Shapes, SequenceNoise, ::testing::ValuesIn(simulated::kNoises));

TEST(Sequence, TheFixedIntervalLookedAtAfterEveryBlockErrsMoreOften) {
  EXPECT_GT(simulated::false_part(Noise::kNormal, Rule::kFixedAtEachLook, 1000, "study 1"), 0.066)
      << "else this simulation could not tell the two apart";
}

/// Planted effects are found, and no difference is called equal within a range far wider than the noise.
TEST(Sequence, PlantedEffectsAreDecidedAndAt50PercentNoiseTwoPercentAreNot) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Random random("worth it");
  const std::vector<simulated::Planted> found = {{0, kInf, std::log(1.1)}},
                                        equal = {{std::log(0.95), std::log(1.05), 0}};
  std::size_t in_time = 0, equal_in_time = 0, hopeless = 0;
  for (int i = 0; i < 100; ++i) {
    const auto first = simulated::run_study(found, 1, Noise::kNormal, Rule::kSequence, 14, random);
    in_time += first.decided_at[0] > 0 && !first.any_false ? 1U : 0U;
    const auto second = simulated::run_study(equal, 1, Noise::kNormal, Rule::kSequence, 24, random);
    equal_in_time += second.decided_at[0] > 0 && !second.any_false ? 1U : 0U;
    const std::vector<simulated::Planted> small = {{0, kInf, std::log(1.02)}};
    hopeless +=
        simulated::run_study(small, 1, Noise::kLogNormal, Rule::kSequence, 30, random).decided_at[0] > 0 ? 1U : 0U;
  }
  EXPECT_GE(in_time, 90U);
  EXPECT_GE(equal_in_time, 90U);
  EXPECT_LE(hopeless, 5U);
}

}  // namespace
}  // namespace assay
