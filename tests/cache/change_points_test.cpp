// Changes of level: planted ones are found where they are, and noise raises no alarm.
#include "history/change_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "assay/algo/random.hpp"

namespace assay {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// `count` results about 100 with noise of standard deviation 1 whose lag-1 autocorrelation is `r`.
std::vector<double> noise(std::size_t count, double r, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  double state = random.normal();
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(100 + state);
    state = r * state + std::sqrt(1 - r * r) * random.normal();
  }
  return values;
}

void step(std::vector<double>& values, std::size_t at, double by) {
  for (std::size_t i = at; i < values.size(); ++i) values[i] += by;
}

TEST(ChangePoints, OfEqualValuesThereAreNoneAndAStepIsFoundWhateverItsSize) {
  std::vector<double> values(20, 1e9);
  EXPECT_THAT(change_points(values, {}), IsEmpty());
  step(values, 12, 1);
  const std::vector<ChangePoint> found = change_points(values, {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].at, 12U);
  EXPECT_EQ(found[0].earliest, 12U);
  EXPECT_EQ(found[0].latest, 12U);
  EXPECT_DOUBLE_EQ(found[0].before, 1e9);
  EXPECT_DOUBLE_EQ(found[0].after, 1e9 + 1);
}

TEST(ChangePoints, NeedThreeResultsOnEachSide) {
  EXPECT_THAT(change_points(std::vector<double>{}, {}), IsEmpty());
  EXPECT_THAT(change_points(std::vector<double>{1, 1, 1, 9, 9}, {}), IsEmpty());
  EXPECT_THAT(change_points(std::vector<double>{1, 1, 1, 9, 9, 9}, {}), SizeIs(1));
  for (const std::size_t after : {1U, 2U}) {
    std::vector<double> values = noise(40, 0, 3);
    step(values, 40 - after, 50);
    for (const ChangePoint& change : change_points(values, {})) EXPECT_LE(change.at + 3, 40U) << after;
  }
}

TEST(ChangePoints, PlantedStepsAreFoundWithinTheirIntervals) {
  std::size_t found_all = 0, covered = 0, told = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> values = noise(100, 0, 1000 + seed);
    step(values, 30, 4);
    step(values, 70, -3);
    const std::vector<ChangePoint> found = change_points(values, {.series = 50});
    found_all += found.size() == 2 ? 1U : 0U;
    for (const ChangePoint& change : found) {
      const std::size_t planted = change.at < 50 ? 30 : 70;
      const double by = planted == 30 ? 4 : -3;
      ++told;
      covered += change.earliest <= planted && planted <= change.latest ? 1U : 0U;
      EXPECT_LT(std::abs(change.after - change.before - by), 2) << seed;
    }
  }
  EXPECT_GE(found_all, 34U) << "both of two changes in opposite directions";
  EXPECT_GE(told, 84U);
  EXPECT_GE(static_cast<double>(covered), 0.9 * static_cast<double>(told));
}

TEST(ChangePoints, SlowCreepAddsUp) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<double> values = noise(100, 0, 500 + seed);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.08 * static_cast<double>(i);
    const auto changes = change_points(values, {.series = 50});
    found += !changes.empty() && changes.back().after > changes.front().before ? 1U : 0U;
  }
  EXPECT_EQ(found, 20U) << "no single step of 0.08 standard deviations would be";
}

TEST(ChangePoints, OneOutlierIsNoChange) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<double> values = noise(60, 0, 900 + seed);
    values[30] += 40;
    EXPECT_THAT(change_points(values, {.series = 50}), IsEmpty()) << seed;
  }
}

TEST(ChangePoints, MirroredValuesGiveMirroredChanges) {
  std::vector<double> values = noise(80, 0.3, 11);
  step(values, 40, 6);
  std::vector<double> mirrored = values;
  for (double& value : mirrored) value = 200 - value;
  const auto up = change_points(values, {}), down = change_points(mirrored, {});
  ASSERT_THAT(up, SizeIs(1));
  ASSERT_THAT(down, SizeIs(1));
  EXPECT_EQ(up[0].at, down[0].at);
  EXPECT_NEAR(up[0].after - up[0].before, down[0].before - down[0].after, 1e-9);
}

TEST(ChangePoints, LevelsOfTwoSegmentsAreHeldAgainstEachOther) {
  std::vector<double> values = noise(60, 0, 21);
  step(values, 40, 5);
  const LevelDifference higher = level_difference(values, {0, 20}, {40, 60});
  EXPECT_LT(higher.lo, 5);
  EXPECT_GT(higher.hi, 5);
  EXPECT_GT(higher.lo, 3);
  const LevelDifference same = level_difference(values, {0, 20}, {20, 40});
  EXPECT_LT(same.lo, 0);
  EXPECT_GT(same.hi, 0);
}

/// Histories without a change, of 50 metrics, that raise an alarm; gains and losses among the alarms.
struct Alarms {
  std::size_t histories = 0, gains = 0, losses = 0;
};
Alarms alarms_of(std::size_t histories, std::size_t results, double r, std::uint64_t fresh) {
  Alarms alarms;
  for (std::uint64_t history = 0; history < histories; ++history) {
    bool any = false;
    for (std::uint64_t metric = 0; metric < 50; ++metric) {
      const std::uint64_t seed =
          fresh * 1'000'003 + (history * 50 + metric) * 131 + results * 7 + static_cast<std::uint64_t>(r * 10);
      for (const ChangePoint& change : change_points(noise(results, r, seed), {.series = 50})) {
        any = true;
        ++(change.after > change.before ? alarms.gains : alarms.losses);
      }
    }
    alarms.histories += any ? 1U : 0U;
  }
  return alarms;
}

/// As many histories as ASSAY_HISTORIES says; the nightly runs ask for 1000.
std::size_t histories() {
  const char* asked = std::getenv("ASSAY_HISTORIES");
  return asked == nullptr ? 40 : static_cast<std::size_t>(std::atol(asked));
}

/// What ASSAY_HISTORIES_SEED says: the nightly runs choose another each time, and print it. 0: that of every change.
std::uint64_t fresh_seed() {
  const char* chosen = std::getenv("ASSAY_HISTORIES_SEED");
  return chosen == nullptr ? 0 : std::strtoull(chosen, nullptr, 10);
}

class WithoutChange : public ::testing::TestWithParam<std::pair<std::size_t, double>> {};

TEST_P(WithoutChange, AtMostOneHistoryInTwentyRaisesAnAlarm) {
  const auto [results, r] = GetParam();
  const std::size_t count = histories();
  const Alarms alarms = alarms_of(count, results, r, fresh_seed());
  RecordProperty("alarms", static_cast<int>(alarms.histories));
  std::cout << alarms.histories << " of " << count << " histories of " << results << " results, r = " << r
            << ", raised an alarm; " << alarms.gains << " gains, " << alarms.losses << " losses\n";
  // Of few histories a few more are chance: two standard errors.
  const double n = static_cast<double>(count);
  EXPECT_LE(static_cast<double>(alarms.histories), 0.05 * n + 2 * std::sqrt(0.05 * 0.95 * n));
  const double told = static_cast<double>(alarms.gains + alarms.losses);
  EXPECT_LE(std::abs(static_cast<double>(alarms.gains) - static_cast<double>(alarms.losses)), 4 + 3 * std::sqrt(told))
      << "gains and losses balance";
}

INSTANTIATE_TEST_SUITE_P(Histories, WithoutChange,
                         ::testing::Values(std::pair(std::size_t{100}, 0.0), std::pair(std::size_t{100}, 0.3),
                                           std::pair(std::size_t{100}, 0.6), std::pair(std::size_t{100}, 0.8),
                                           std::pair(std::size_t{20}, 0.6)));

}  // namespace
}  // namespace assay
