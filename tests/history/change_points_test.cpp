// Changes of level: planted ones are found where they are, and noise raises no alarm.
#include "history/change_points.hpp"

#include <iostream>

#include "assay/detail/random.hpp"
#include "support/test.hpp"

namespace assay::change_points_test {

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

TEST(ChangePoints, FindAnyStepAndNoneInEqualValues) {
  std::vector<double> values(60, 1e9);
  EXPECT_TRUE(is_empty(change_points(values, {}).changes));
  step(values, 36, 1);
  const std::vector<ChangePoint> found = change_points(values, {.series = 50}).changes;
  ASSERT_TRUE(size_is(found, 1));
  EXPECT_EQ(found[0].at, 36U);
  EXPECT_DOUBLE_EQ(found[0].before, 1e9);
  EXPECT_DOUBLE_EQ(found[0].after, 1e9 + 1);
}

TEST(ChangePoints, NeedThreeResultsOnEachSide) {
  EXPECT_TRUE(is_empty(change_points(std::vector<double>{}, {}).changes));
  EXPECT_TRUE(is_empty(change_points(std::vector<double>{1, 1.1, 0.9, 9, 9.1}, {}).changes));
  EXPECT_TRUE(size_is(change_points(std::vector<double>{1, 1.1, 0.9, 9, 9.1, 8.9}, {}).changes, 1));
  EXPECT_TRUE(is_empty(change_points(std::vector<double>{1, 1, 1, 9, 9, 9}, {}).changes))
      << "two values in any order of six: one order in ten has them sorted";
  for (const std::size_t after : {1U, 2U}) {
    std::vector<double> values = noise(40, 0, 3);
    step(values, 40 - after, 50);
    for (const ChangePoint& change : change_points(values, {}).changes) EXPECT_LE(change.at + 3, 40U) << after;
  }
}

TEST(ChangePoints, PlantedStepsAreFoundWithinTheirIntervals) {
  std::size_t found_all = 0, covered = 0, told = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> values = noise(100, 0, 1000 + seed);
    step(values, 30, 4);
    step(values, 70, -3);
    const std::vector<ChangePoint> found = change_points(values, {.series = 50}).changes;
    found_all += found.size() == 2 ? 1U : 0U;
    for (const ChangePoint& change : found) {
      const std::size_t planted = change.at < 50 ? 30 : 70;
      const double by = planted == 30 ? 4 : -3;
      ++told;
      covered += change.earliest <= planted && planted <= change.latest ? 1U : 0U;
      EXPECT_LT(std::abs(change.after - change.before - by), 2) << seed;
    }
  }
  EXPECT_GE(found_all, 48U) << "both of two changes in opposite directions";
  EXPECT_GE(told, 98U);
  EXPECT_GE(static_cast<double>(covered), 0.9 * static_cast<double>(told));
}

TEST(ChangePoints, SlowCreepAddsUp) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<double> values = noise(100, 0, 500 + seed);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.08 * static_cast<double>(i);
    const auto changes = change_points(values, {.series = 50}).changes;
    found += !changes.empty() && changes.back().after > changes.front().before ? 1U : 0U;
  }
  EXPECT_EQ(found, 20U) << "no single step of 0.08 standard deviations would be";
}

TEST(ChangePoints, OneOutlierIsNotAChange) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<double> values = noise(60, 0, 900 + seed);
    values[30] += 40;
    EXPECT_TRUE(is_empty(change_points(values, {.series = 50}).changes)) << seed;
  }
}

TEST(ChangePoints, MirroredValuesGiveMirroredChanges) {
  std::vector<double> values = noise(80, 0.3, 11);
  step(values, 40, 6);
  std::vector<double> mirrored = values;
  for (double& value : mirrored) value = 200 - value;
  const auto up = change_points(values, {}).changes, down = change_points(mirrored, {}).changes;
  ASSERT_TRUE(size_is(up, 1));
  ASSERT_TRUE(size_is(down, 1));
  EXPECT_EQ(up[0].at, down[0].at);
  EXPECT_NEAR(up[0].after - up[0].before, down[0].before - down[0].after, 1e-9);
}

TEST(ChangePoints, LevelsOfTwoSegmentsAreHeldAgainstEachOther) {
  std::vector<double> values = noise(60, 0, 21);
  step(values, 40, 5);
  const LevelChanges found = change_points(values, {});
  const LevelDifference higher = found.difference({0, 20}, {40, 60});
  EXPECT_LT(higher.lo, 5);
  EXPECT_GT(higher.hi, 5);
  EXPECT_GT(higher.lo, 3);
  const LevelDifference same = found.difference({0, 20}, {20, 40});
  EXPECT_LT(same.lo, 0);
  EXPECT_GT(same.hi, 0);
}

/// Histories without a change, of so many metrics, that raise an alarm; gains and losses among the alarms.
struct Alarms {
  std::size_t histories = 0, gains = 0, losses = 0;
};
Alarms alarms_of(std::size_t histories, std::size_t results, double r, std::size_t series, std::uint64_t fresh) {
  Alarms alarms;
  for (std::uint64_t history = 0; history < histories; ++history) {
    bool any = false;
    for (std::uint64_t metric = 0; metric < series; ++metric) {
      const std::uint64_t seed =
          fresh * 1'000'003 + (history * series + metric) * 131 + results * 7 + static_cast<std::uint64_t>(r * 10);
      for (const ChangePoint& change : change_points(noise(results, r, seed), {.series = series}).changes) {
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

struct UnchangedHistory {
  std::size_t results;
  double r;
  std::size_t series;
  friend void PrintTo(const UnchangedHistory& it, std::ostream* out) { *out << "correlation " << it.r; }
};
class WithoutChange : public ::testing::TestWithParam<UnchangedHistory> {};

TEST_P(WithoutChange, AtMostOneHistoryInTwentyRaisesAnAlarm) {
  const auto [results, r, series] = GetParam();
  const std::size_t count = histories();
  const Alarms alarms = alarms_of(count, results, r, series, fresh_seed());
  RecordProperty("alarms", static_cast<int>(alarms.histories));
  std::cout << alarms.histories << " of " << count << " histories of " << results << " results, r = " << r << ", "
            << series << " series, raised an alarm; " << alarms.gains << " gains, " << alarms.losses << " losses\n";
  // Of few histories a few more are chance: two standard errors.
  const double n = static_cast<double>(count);
  EXPECT_LE(static_cast<double>(alarms.histories), 0.05 * n + 2 * std::sqrt(0.05 * 0.95 * n));
}

std::vector<UnchangedHistory> unchanged() {
  std::vector<UnchangedHistory> out;
  for (const std::size_t series : {1U, 50U}) {
    for (const std::size_t results : {20U, 50U, 70U, 100U}) {
      for (const double r : {0.0, 0.3, 0.6, 0.8}) out.push_back({results, r, series});
    }
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Histories, WithoutChange, ::testing::ValuesIn(unchanged()), [](const auto& of) {
  return std::to_string(of.param.series) + "Series" + std::to_string(of.param.results) + "Results" +
         std::to_string(static_cast<int>(10 * of.param.r));
});

/// Changes of five standard deviations in 100 results, stretches of ten or more, at random places or alternating.
struct Several {
  std::size_t changes;
  double r;
  bool alternating;
};
class SeveralChanges : public ::testing::TestWithParam<Several> {};

TEST_P(SeveralChanges, NineInTenAreToldWithinThreeResults) {
  const auto [changes, r, alternating] = GetParam();
  const std::size_t count = std::min<std::size_t>(300, histories());
  std::size_t told = 0, more = 0;
  for (std::uint64_t history = 0; history < count; ++history) {
    const std::uint64_t seed =
        fresh_seed() * 1'000'003 + history * 211 + changes * 17 + static_cast<std::uint64_t>(r * 10);
    Random random(seed + 7);
    std::vector<double> values = noise(100, r, seed);
    const std::size_t room = 100 - 10 * (changes + 1);
    std::vector<std::size_t> spare;
    for (std::size_t i = 0; i < changes; ++i)
      spare.push_back(static_cast<std::size_t>(random.uniform() * static_cast<double>(room + 1)));
    std::ranges::sort(spare);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < changes; ++i) {
      places.push_back(spare[i] + 10 * (i + 1));
      step(values, places.back(), (alternating ? i % 2 == 0 : random.uniform() < 0.5) ? 5 : -5);
    }
    const std::vector<ChangePoint> found = change_points(values, {.series = 50}).changes;
    std::size_t right = 0;
    for (const std::size_t place : places)
      right += std::ranges::any_of(found, [&](const ChangePoint& c) { return c.at + 3 >= place && c.at <= place + 3; });
    told += right;
    more += found.size() - right;
  }
  std::cout << told << " of " << count * changes << " changes told, " << changes << " a history, r = " << r
            << (alternating ? ", alternating" : "") << "; " << more << " told that were not planted\n";
  EXPECT_GE(static_cast<double>(told), 0.9 * static_cast<double>(count * changes));
  EXPECT_LE(static_cast<double>(more), 0.05 * static_cast<double>(count) + 1);
}

std::vector<Several> several() {
  std::vector<Several> out;
  for (const std::size_t changes : {2U, 4U, 6U, 9U}) {
    for (const double r : {0.0, 0.3, 0.6}) {
      out.push_back({changes, r, false});
      out.push_back({changes, r, true});
    }
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Histories, SeveralChanges, ::testing::ValuesIn(several()));

/// Series without a change whose values are counts or ticks, and how many of them alarm.
TEST(DiscreteValues, RaiseNoAlarm) {
  const std::size_t count = 5 * histories();
  const auto alarms = [&](std::size_t results, auto&& value) {
    std::size_t found = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      Random random(fresh_seed() * 1'000'003 + i * 13 + results);
      std::vector<double> values;
      for (std::size_t k = 0; k < results; ++k) values.push_back(value(random));
      found += change_points(values, {}).changes.empty() ? 0U : 1U;
    }
    return static_cast<double>(found) / static_cast<double>(count);
  };
  for (const std::size_t results : {20U, 100U}) {
    EXPECT_LE(alarms(results, [](Random& random) { return std::round(12 + 0.6 * random.normal()); }), 0.05);
    EXPECT_LE(alarms(results, [](Random& random) { return 32 * std::round((1000 + 25 * random.normal()) / 32); }),
              0.05);
    EXPECT_LE(alarms(results, [](Random& random) { return random.uniform() < 0.15 ? 9.0 : 8.0; }), 0.05);
    EXPECT_LE(alarms(results,
                     [](Random& random) {  // Poisson of mean 0.5
                       double left = random.uniform(), events = 0;
                       for (double p = std::exp(-0.5); left >= p; p *= 0.5 / ++events) left -= p;
                       return events;
                     }),
              0.05);
  }
}

TEST(WildResults, NeitherHideAChangeNorMakeOne) {
  const std::size_t count = histories();
  std::size_t found = 0, alarms = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(fresh_seed() * 1'000'003 + i * 17);
    std::vector<double> values = noise(100, 0, fresh_seed() * 7'919 + i);
    for (double& value : values) value += random.uniform() < 0.05 ? 70 + 40 * random.uniform() : 0;
    alarms += change_points(values, {}).changes.empty() ? 0U : 1U;
    step(values, 50, 10);
    found += std::ranges::any_of(change_points(values, {.series = 50}).changes,
                                 [](const ChangePoint& c) { return c.at >= 47 && c.at <= 53; });
  }
  std::cout << found << " of " << count << " steps of 10 found among wild results; " << alarms << " alarms without\n";
  EXPECT_GE(static_cast<double>(found), 0.9 * static_cast<double>(count));
  EXPECT_LE(static_cast<double>(alarms), 0.05 * static_cast<double>(count) + 2);
}

TEST(ChangePoints, AreUndecidedForAWanderingSeries) {
  std::size_t said = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const LevelChanges found = change_points(noise(100, 0.97, seed), {.series = 50});
    said += found.too_alike || !found.changes.empty() ? 1U : 0U;
    EXPECT_FALSE(change_points(noise(100, 0, seed), {.series = 50}).too_alike);
  }
  EXPECT_GE(said, 15U);
}

TEST(ChangePoints, IntervalsOfFewResultsAreFinite) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<double> values = noise(7, 0.8, seed);
    step(values, 3, 30);
    for (const ChangePoint& change : change_points(values, {}).changes) {
      EXPECT_TRUE(std::isfinite(change.lo) && std::isfinite(change.hi));
      EXPECT_LT(change.hi - change.lo, 200);
    }
  }
}

}  // namespace assay::change_points_test
