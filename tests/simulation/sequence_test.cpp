// The interval that may be looked at after every block: its definition, and by simulation what it promises.
#include <numbers>

#include "studies.hpp"
#include "support/test.hpp"

namespace assay::sequence_test {

using simulated::Noise;
using simulated::Rule;

constexpr double kInf = std::numeric_limits<double>::infinity();

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
  EXPECT_LT(before.hi - before.lo, 0.13);
  EXPECT_TRUE(before.lo < 0.1 && before.hi > 0.1);
}

/// Both statistics by their definitions, sums over all values at once.
SeriesNoise by_definition(const std::vector<double>& x) {
  SeriesNoise out;
  out.n = x.size();
  const auto n = static_cast<double>(x.size());
  for (const double v : x) out.mean += v / n;
  double squares = 0, steps = 0, sums = 0, sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares += (x[i] - out.mean) * (x[i] - out.mean);
    if (i > 0) steps += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
    sum += x[i] - out.mean;
    sums += sum * sum;
  }
  out.sd = std::sqrt(squares / (n - 1));
  out.correlation = 1 - steps / squares / 2;
  out.partial_sums = sums / (out.sd * out.sd) / ((n * n - 1) / 6);
  return out;
}

TEST(BlockNoise, StatisticsAreThoseOfTheirDefinitionsAfterEachValue) {
  Random random("definitions");
  RunningNoise running;
  std::vector<double> x;
  for (int i = 0; i < 40; ++i) {
    x.push_back(1e4 + 0.3 * i + random.normal());
    const SeriesNoise now = running.add(x.back());
    if (i == 0) continue;
    const SeriesNoise expected = by_definition(x);
    EXPECT_NEAR(now.mean, expected.mean, 1e-9);
    EXPECT_NEAR(now.sd, expected.sd, 1e-9);
    EXPECT_NEAR(now.correlation, expected.correlation, 1e-9);
    EXPECT_NEAR(now.partial_sums, expected.partial_sums, 1e-8);
    EXPECT_NEAR(now.range, *std::ranges::max_element(x) - *std::ranges::min_element(x), 1e-9);
  }
}

/// Of two values V is 2 and the partial sums are half their difference and 0; without a spread nothing is shown.
TEST(BlockNoise, KnownAnswers) {
  RunningNoise two;
  two.add(3);
  const SeriesNoise now = two.add(5);
  EXPECT_DOUBLE_EQ(now.correlation, 0);
  EXPECT_DOUBLE_EQ(now.partial_sums, 1);
  RunningNoise still;
  for (int i = 0; i < 5; ++i) still.add(7);
  EXPECT_EQ(still.now().sd, 0);
  EXPECT_EQ(still.now().correlation, 0);
  EXPECT_EQ(still.now().partial_sums, 1);
}

TEST(BlockNoise, BothStatisticsAreFreeOfBiasWhereBlocksAreIndependent) {
  Random random("bias");
  for (const int n : {4, 6, 15}) {
    double correlation = 0, sums = 0;
    constexpr int kSeries = 20000;
    for (int s = 0; s < kSeries; ++s) {
      RunningNoise running;
      for (int i = 0; i < n; ++i) running.add(random.normal());
      correlation += running.now().correlation / kSeries;
      sums += running.now().partial_sums / kSeries;
    }
    EXPECT_NEAR(correlation, 0, 0.01) << n;
    EXPECT_NEAR(sums, 1, 0.03) << n;
  }
}

TEST(BlockNoise, ARecordingIsSeenAsItWasAtABlock) {
  RecordingNoise recording;
  recording.add({{1, 2, 3, 5}, {0, 1, 0, 9}});
  recording.add({{2, 3, 4}, {4, 8, 4}});
  recording.add({{5}, {1}});
  const BlockNoise three = recording.up_to(3);
  EXPECT_EQ(three.series, 2U);
  EXPECT_EQ(three.range, 4);
  const double both = (1.0 / 3 + 8) / 2;  // variances of 0 1 0 and 4 8
  EXPECT_NEAR(three.pooled_sd, std::sqrt(both), 1e-12);
  EXPECT_NEAR(three.typical_sd, std::sqrt(both), 1e-12) << "the median of two";
  const double of_first = by_definition({0, 1, 0}).correlation, of_second = by_definition({4, 8}).correlation;
  EXPECT_NEAR(three.correlation, (of_first + of_second) / 2, 1e-12);
  EXPECT_EQ(recording.up_to(0).series, 0U);
  EXPECT_EQ(recording.up_to(9).series, 2U) << "one value shows nothing";
}

SeriesNoise series_of(std::size_t n, double sd, double correlation = 0, double partial_sums = 1) {
  return {n, 0, sd, 4 * sd, correlation, partial_sums};
}
BlockNoise recording_of(double sd, double correlation = 0, double partial_sums = 1) {
  return {3, sd, sd, 4 * sd, correlation, partial_sums};
}

TEST(Sequence, NoiseThatLastsWidensTheIntervalAndThenTakesItAway) {
  // Three series that agree: 0.4 times 15 degrees more than the own.
  const double plain = sequence_half_width(16, 1, 0.95, 1.4 * 15), r0 = 1.05 / 4, r = 1.7 * 0.2 + r0;
  const auto half = [](const SeriesNoise& own, const BlockNoise& recording) {
    return sequence_half_width(own, recording, 0.95, 0);
  };
  EXPECT_NEAR(half(series_of(16, 1), recording_of(1)), plain * std::sqrt((1 + r0) / (1 - r0)), 1e-12);
  EXPECT_NEAR(half(series_of(16, 1), recording_of(1, 0.2, 1.5)), plain * std::sqrt((1 + r) / (1 - r)) * 2.25, 1e-12);
  EXPECT_NEAR(half(series_of(16, 1, -0.5), recording_of(2, -0.5, 0.2)), 2 * plain * std::sqrt((1 + r0) / (1 - r0)),
              1e-12)
      << "never narrower, and never on less than the typical spread";
  EXPECT_NEAR(half(series_of(16, 3), recording_of(1)),
              sequence_half_width(16, 3, 0.95) * std::sqrt((1 + r0) / (1 - r0)), 1e-12)
      << "a spread far from the common one has its own degrees alone";
  EXPECT_EQ(half(series_of(16, 1, 0.51), recording_of(1)), kInf) << "own correlation";
  EXPECT_EQ(half(series_of(16, 1), recording_of(1, 0.36)), kInf) << "common correlation";
  EXPECT_EQ(half(series_of(16, 1, 0, 3.5), recording_of(1)), kInf) << "own partial sums";
  EXPECT_EQ(half(series_of(16, 1), recording_of(1, 0, 2.1)), kInf) << "common partial sums";
}

TEST(Sequence, FewBlocksTellOnlyWhatIsFarBeyondTheNoise) {
  const auto half = [](const SeriesNoise& own, const BlockNoise& recording) {
    return sequence_half_width(own, recording, 0.95, 0.08);
  };
  EXPECT_EQ(half(series_of(1, 0), {}), kInf);
  EXPECT_DOUBLE_EQ(half(series_of(2, 0.01), recording_of(0.02)), 24 * 0.02);
  EXPECT_DOUBLE_EQ(half(series_of(6, 0.001), recording_of(0.001)), 0.08);
  EXPECT_NEAR(half(series_of(5, 0.012), recording_of(0.012)), 0.12, 1e-12) << "a trend of ten spreads";
  EXPECT_NEAR(half(series_of(5, 0.03), recording_of(0.03)), 0.9 * 0.08 * 1.959964, 1e-6) << "and none beyond that";
  EXPECT_DOUBLE_EQ(half(series_of(17, 0.001), recording_of(0.001)), 0.08);
  EXPECT_LT(half(series_of(18, 0.001), recording_of(0.001)), 0.003);
  EXPECT_EQ(half(series_of(2, 0), recording_of(0)), 0.08);
  EXPECT_EQ(half(series_of(3, 0), recording_of(0)), 0) << "a count that never changes";
}

TEST(Sequence, BesideAnAAPairACalmRecordingTellsSmallEffectsSooner) {
  const auto half = [](std::size_t n, const BlockNoise& recording) {
    return sequence_half_width(series_of(n, 0.001), recording, 0.95, 0.08);
  };
  BlockNoise calm = recording_of(0.001);
  calm.twins = true;
  calm.step_sd = 0.001;
  calm.range = 0.004;
  EXPECT_DOUBLE_EQ(half(8, calm), 0.08) << "too few";
  EXPECT_DOUBLE_EQ(half(9, calm), 0.006);
  EXPECT_LT(half(11, calm), 0.003);
  EXPECT_LT(half(16, calm), 0.003);
  BlockNoise jumped = calm, apart = calm;
  jumped.range = 0.03;
  apart.twins_apart = 0.03;
  EXPECT_DOUBLE_EQ(half(14, jumped), 0.08) << "a clock changed its state";
  EXPECT_DOUBLE_EQ(half(14, apart), 0.08) << "equal programs were in two states";
  calm.twins = false;
  EXPECT_DOUBLE_EQ(half(14, calm), 0.08);
}

TEST(BlockNoise, OneJumpDoesNotHideInTheSpreadOfTheSteps) {
  RunningNoise calm, jumps;
  const double noise[] = {0.1, -0.1, 0.05, -0.05, 0.1, -0.1, 0};
  for (int i = 0; i < 7; ++i) {
    calm.add(noise[i]);
    jumps.add(noise[i] + (i > 3 ? 10 : 0));
  }
  EXPECT_GT(jumps.now().sd, 5);
  EXPECT_LT(jumps.now().step_sd, 0.2);
  const SeriesNoise both[] = {jumps.now(), calm.now()};
  BlockNoise seen = pooled(both);
  EXPECT_FALSE(seen.calm(6.5)) << "no A/A pair";
  seen.twins = true;
  EXPECT_FALSE(seen.calm(6.5));
  const SeriesNoise one[] = {calm.now()};
  seen = pooled(one);
  seen.twins = true;
  EXPECT_TRUE(seen.calm(6.5));
}

TEST(Sequence, AMeanThatLeftTheIntervalTakesItAway) {
  const BlockNoise calm = recording_of(0.02);  // as if the rest of the recording showed no change
  Sequence sequence(0.95, 0.01);
  for (int i = 0; i < 20; ++i) sequence.add(i % 2 == 0 ? -0.099 : -0.101, calm);
  ASSERT_TRUE(sequence.now().known());
  EXPECT_LT(sequence.now().hi, -0.05);
  for (int i = 0; i < 40; ++i) sequence.add(i % 2 == 0 ? 0.3 : 0.1, calm);
  EXPECT_GT(sequence.now().left_at, 20U) << "the mean of all is far above the interval of the first 20";
  EXPECT_FALSE(sequence.now().known());
}

/// The own series shows no lasting noise where it jumps to and fro, so that two intervals can exclude each other.
TEST(Sequence, IntervalsThatExcludeEachOtherSayWhen) {
  const BlockNoise calm = recording_of(0.02);
  Sequence sequence(0.95, 0.01);
  for (int i = 0; i < 2; ++i) sequence.add(0.5, {2, 1e-4, 1e-4, 1e-4, 0, 1});
  ASSERT_EQ(sequence.now().changed_at, 0U);
  ASSERT_LT(sequence.now().hi, 0.52) << "20 spreads are little here";
  std::size_t at = 0;
  for (int i = 0; i < 4000 && at == 0; ++i) at = sequence.add(i % 2 == 0 ? 0.02 : -0.02, calm).changed_at;
  EXPECT_GT(at, 2U);
  EXPECT_FALSE(sequence.now().known());
  EXPECT_EQ(sequence.add(0.5, calm).changed_at, at) << "and it stays so";
}

TEST(Sequence, BlocksNeededAreThoseOfTheInterval) {
  const SequenceClaim faster = {0, 1, 0.95};
  const std::size_t n = sequence_blocks_needed(0.1, 0.05, faster, 1000);
  EXPECT_LE(sequence_expected_half_width(n, 0.05, faster), 0.1);
  EXPECT_GT(sequence_expected_half_width(n - 1, 0.05, faster), 0.1);
  EXPECT_EQ(sequence_blocks_needed(0, 0.05, faster, 1000), 1001U) << "at the bound no number of blocks decides";
  EXPECT_EQ(sequence_blocks_needed(3, 0.05, {0, kInf, 0.95}, 1000), 2U) << "60 times the spread";
}

/// A pair and its A/A pair, independent and normal, looked at after every block.
class OnePair {
 public:
  OnePair(double effect, double sd, double level, Random& random)
      : effect_(effect), sd_(sd), sequence_(level), random_(random) {}
  const SequenceInterval& block() {
    const double difference = effect_ + sd_ * random_.normal();
    const SeriesNoise both[] = {own_.add(difference), twin_.add(sd_ * random_.normal())};
    return sequence_.add(difference, pooled(both));
  }

 private:
  double effect_, sd_;
  Sequence sequence_;
  RunningNoise own_, twin_;
  Random& random_;
};

/// Spread and effect known, two ways: by formula, and by recording until it is decided, 300 times.
TEST(Sequence, PlannedBlocksAreThoseThatSimulationNeeds) {
  constexpr std::size_t kMax = 300, kStudies = 300;
  Random random("power");
  for (const double effect : {0.02, 0.05, 0.1}) {
    for (const auto& [low, high] : {std::pair(0.0, kInf), std::pair(-0.15, 0.15)}) {
      constexpr double kSd = 0.05, kLevel = 0.95;
      const double away = std::isinf(high) ? effect : high - effect;  // from the nearest bound
      std::vector<std::size_t> needed;
      for (std::size_t s = 0; s < kStudies; ++s) {
        OnePair pair(effect, kSd, kLevel, random);
        std::size_t n = 0;
        for (bool open = true; open && n < kMax; ++n) {
          const SequenceInterval now = pair.block();
          open = now.lo < low || now.hi > high;
        }
        needed.push_back(n);
      }
      std::ranges::sort(needed);
      const auto median = static_cast<double>(needed[kStudies / 2]),
                 most = static_cast<double>(needed[kStudies * 9 / 10]);
      const SequenceClaim claim = {low, high, kLevel};
      const auto seen = static_cast<double>(sequence_blocks_needed(effect, kSd, claim, kMax));
      const auto planned = static_cast<double>(sequence_blocks_for_power(effect, kSd, claim, 0.9, kMax));
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

TEST(Futility, TheChanceIsThatOfTheMeanOfAllBlocks) {
  Random random("chance");
  const SequenceClaim claim = {0, kInf, 0.95};
  const SequenceSeen seen = {8, 0.02, 0.03};
  const double half = sequence_expected_half_width(20, seen.sd, claim);
  int decided = 0;
  constexpr int kFutures = 40000;
  for (int i = 0; i < kFutures; ++i) {
    const double truth = seen.mean + seen.sd / std::sqrt(8.0) * random.normal();
    const double rest = truth + seen.sd / std::sqrt(12.0) * random.normal();
    const double mean = (8 * seen.mean + 12 * rest) / 20;
    decided += mean - half >= 0 || mean + half < 0 ? 1 : 0;
  }
  EXPECT_NEAR(sequence_chance(seen, claim, 20), static_cast<double>(decided) / kFutures, 0.01);
  EXPECT_EQ(sequence_chance({20, 0.5, 0.03}, claim, 20), 1) << "it is decided";
}

/// Of studies that the last block would have decided, how many are given up before: the estimates alone gave up on 54
/// and 67 %.
TEST(Futility, FewStudiesThatWouldBeDecidedAreGivenUp) {
  struct Case {
    SequenceClaim claim;
    double effect, sd;
    std::size_t most;
    bool hopeless;
  };
  const double level = 1 - 0.05 / 3, d = std::sqrt(2.0);
  const Case cases[] = {{{0, kInf, level}, std::log1p(0.05), 0.02 * d, 20, false},
                        {{0, kInf, level}, std::log1p(0.05), 0.03 * d, 30, false},
                        {{std::log(0.99), std::log(1.01), level}, 0, 0.005 * d, 30, false},
                        {{std::log(0.99), std::log(1.01), level}, 0, 0.05 * d, 20, true}};
  Random random("futile");
  for (const Case& c : cases) {
    std::size_t decidable = 0, given_up = 0;
    std::vector<std::size_t> at;
    for (int i = 0; i < 200; ++i) {
      OnePair pair(c.effect, c.sd, c.claim.level, random);
      std::size_t futile_at = 0;
      bool decided = false;
      for (std::size_t n = 1; n <= c.most && !decided; ++n) {
        const SequenceInterval now = pair.block();
        decided = now.lo >= c.claim.lo && now.hi <= c.claim.hi;
        const bool futile = sequence_is_futile({n, now.mean, now.sd}, c.claim, c.most);
        if (!decided && futile && futile_at == 0) futile_at = n;
      }
      decidable += decided ? 1U : 0U;
      given_up += decided && futile_at > 0 ? 1U : 0U;
      if (futile_at > 0) at.push_back(futile_at);
    }
    SCOPED_TRACE("effect " + std::to_string(c.effect) + ": " + std::to_string(given_up) + " of " +
                 std::to_string(decidable) + " given up");
    EXPECT_LE(static_cast<double>(given_up), 0.05 * static_cast<double>(decidable) + 1);
    EXPECT_EQ(decidable > 20, !c.hopeless);
    if (!c.hopeless) continue;
    ASSERT_GE(at.size(), 195U);
    std::ranges::sort(at);
    EXPECT_LE(at[at.size() / 2], 8U) << "soon";
    EXPECT_GE(at.front(), 6U);
  }
}

/// Lan and DeMets' own table: five looks equally far apart, one-sided 0.025.
TEST(Rivals, SpendingBoundsAreThoseOfTheLiterature) {
  const std::vector<double> bounds = simulated::spending_bounds(5, 0.05);
  const double expected[] = {4.877, 3.357, 2.680, 2.290, 2.031};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(bounds[static_cast<std::size_t>(i)], expected[i], 2e-3) << i;
}

class SequenceNoise : public ::testing::TestWithParam<Noise> {};

/// What 600 studies exceed with a probability of 5 % if 5 % of them are false.
constexpr double kMostFalse = 0.065;

/// Three claims in two strata and in one, with the truth at a bound, a look after every block up to 30: at most 5 % of
/// the studies hold a false verdict.
TEST_P(SequenceNoise, FalseVerdictsOnRatiosAreFewHoweverOftenOneLooks) {
  for (const std::size_t strata : {2U, 1U})
    EXPECT_LE(simulated::false_part(GetParam(), Rule::kSequence, 600, "study", {strata}), kMostFalse)
        << GetParam().name << ", " << strata;
}

/// One claim and its twin, looked at to the end.
TEST_P(SequenceNoise, IntervalsHoldTheTruth) {
  Random random("coverage");
  const std::vector<simulated::PlantedClaim> one = {simulated::at_the_bounds().front()};
  std::size_t covered = 0, intervals = 0;
  for (int i = 0; i < 400; ++i) {
    const auto study = simulated::run_study(one, {1, false, 1, true}, GetParam(), Rule::kSequence, 30, random);
    covered += study.covered;
    intervals += study.intervals;
  }
  EXPECT_GT(intervals, 200U);
  EXPECT_GE(static_cast<double>(covered) / static_cast<double>(intervals), 0.93);
}

INSTANTIATE_TEST_SUITE_P(Shapes, SequenceNoise, ::testing::ValuesIn(simulated::kNoises));

class SequenceLevelNoise : public ::testing::TestWithParam<Noise> {};

TEST_P(SequenceLevelNoise, FalseVerdictsOnLevelsAreFewHoweverOftenOneLooks) {
  for (const std::size_t strata : {2U, 1U})
    EXPECT_LE(simulated::false_part(GetParam(), Rule::kSequence, 600, "study", {strata, true}), kMostFalse)
        << GetParam().name << ", " << strata;
}

INSTANTIATE_TEST_SUITE_P(Shapes, SequenceLevelNoise, ::testing::ValuesIn(simulated::kLevelNoises));

/// All differences share the noise of their base, so that the spread is known hardly better from eight than from four.
TEST(Sequence, ManyClaimsOnOneBaseDoNotMakeItSure) {
  std::vector<simulated::PlantedClaim> claims;
  for (int i = 0; i < 8; ++i) claims.push_back(simulated::at_the_bounds()[static_cast<std::size_t>(i) % 3]);
  for (const Noise& noise : simulated::kNoises) {
    if (noise.shape != simulated::Shape::kTrend && noise.sd < 0.1) continue;
    Random random("many");
    std::size_t wrong = 0;
    constexpr std::size_t kStudies = 600;
    for (std::size_t i = 0; i < kStudies; ++i)
      wrong += simulated::run_study(claims, {1}, noise, Rule::kSequence, 30, random).any_false ? 1U : 0U;
    EXPECT_LE(static_cast<double>(wrong), kMostFalse * kStudies) << noise.name;
  }
}

/// Effects of 28 and a half beside truths at a bound: the large ones are told by the third block, and none falsely.
TEST(Sequence, LargeEffectsAreToldEarlyAndLastingNoiseIsStillHeld) {
  std::vector<simulated::PlantedClaim> claims = simulated::at_the_bounds();
  claims.push_back({std::log(1.5), kInf, std::log(28)});
  for (const Noise& noise : simulated::kNoises) {
    if ((noise.shape != simulated::Shape::kSticky && noise.lasting != 0.8) || noise.sd > 0.1) continue;
    Random random("large");
    std::size_t wrong = 0, early = 0;
    constexpr std::size_t kStudies = 300;
    for (std::size_t i = 0; i < kStudies; ++i) {
      const auto study = simulated::run_study(claims, {}, noise, Rule::kSequence, 30, random);
      wrong += study.any_false ? 1U : 0U;
      early += study.decided_at[3] > 0 && study.decided_at[3] <= 3 ? 1U : 0U;
      EXPECT_NE(study.decided_at[3], 1U);
    }
    EXPECT_LE(static_cast<double>(wrong), 0.07 * kStudies) << noise.name;
    EXPECT_GE(static_cast<double>(early), 0.9 * kStudies) << noise.name;
  }
}

/// Median blocks: a fixed design of 90 % power takes 30, 8, 4, 3 and 4; at a noise of 0.5 % 5, 3 and 3.
TEST(Sequence, IndependentNoiseCostsAboutTwiceTheBlocksOfAFixedDesign) {
  struct Cost {
    const char* seed;
    simulated::Setting setting;
    std::size_t limit;
    double effect;
    std::size_t blocks;
  };
  const Cost most[] = {{"cost", {1}, 100, 0.02, 60},
                       {"cost", {1}, 100, 0.05, 17},
                       {"cost", {1}, 100, 0.1, 11},
                       {"cost", {1}, 100, 0.2, 6},
                       {"cost", {1}, 100, 0.3, 4},
                       {"noisy", {1, false, 5}, 40, 1, 6},
                       {"little", {1, false, 0.25}, 40, 0.02, 12},
                       {"little", {1, false, 0.25}, 40, 0.05, 10},
                       {"little", {1, false, 0.25}, 40, 0.1, 4}};
  for (const auto& [seed, setting, limit, effect, blocks] : most) {
    Random random(seed);
    const std::vector<simulated::PlantedClaim> claims(3, {0, kInf, std::log1p(effect)});
    std::vector<std::size_t> needed;
    for (int i = 0; i < 100; ++i) {
      const auto study =
          simulated::run_study(claims, setting, simulated::kNoises.front(), Rule::kSequence, limit, random);
      for (const std::size_t at : study.decided_at) needed.push_back(at == 0 ? limit + 1 : at);
    }
    std::ranges::sort(needed);
    EXPECT_LE(needed[needed.size() / 2], blocks) << seed << " " << effect;
  }
}

TEST(Sequence, TheFixedIntervalLookedAtAfterEveryBlockErrsMoreOften) {
  EXPECT_GT(simulated::false_part(simulated::kNoises.front(), Rule::kFixedAtEachLook, 1000, "study 1"), 0.066)
      << "else this simulation could not tell the two apart";
}

/// Planted effects are found, and no difference is called equal within a range far wider than the noise.
TEST(Sequence, PlantedEffectsAreDecidedAndAt50PercentNoiseTwoPercentAreNot) {
  Random random("worth it");
  const std::vector<simulated::PlantedClaim> found = {{0, kInf, std::log(1.1)}},
                                             equal = {{std::log(0.95), std::log(1.05), 0}};
  std::size_t in_time = 0, equal_in_time = 0, hopeless = 0;
  for (int i = 0; i < 100; ++i) {
    const auto first = simulated::run_study(found, {1}, simulated::kNoises[0], Rule::kSequence, 20, random);
    in_time += first.decided_at[0] > 0 && !first.any_false ? 1U : 0U;
    const auto second = simulated::run_study(equal, {1}, simulated::kNoises[0], Rule::kSequence, 20, random);
    equal_in_time += second.decided_at[0] > 0 && !second.any_false ? 1U : 0U;
    const std::vector<simulated::PlantedClaim> small = {{0, kInf, std::log(1.02)}};
    hopeless += simulated::run_study(small, {1}, simulated::kNoises[1], Rule::kSequence, 30, random).decided_at[0] > 0
                    ? 1U
                    : 0U;
  }
  EXPECT_GE(in_time, 90U);
  EXPECT_GE(equal_in_time, 60U);
  EXPECT_LE(hopeless, 5U);
}

}  // namespace assay::sequence_test
