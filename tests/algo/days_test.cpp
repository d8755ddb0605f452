// Days of measuring: the spread between measurements, and that equal programs on different days are not told to differ.
#include "algo/days.hpp"

#include <random>

#include "assay/testing/study_builder.hpp"
#include "support/test.hpp"

namespace assay::days_test {

using testing::StudyBuilder;

TEST(Days, TheSpreadBetweenMeasurementsIsPooledOverSidesAndOthers) {
  const CellDays days{{{1.0, 4}, {1.2, 4}}, {{1.5, 4}, {1.5, 4}}, {{0.0, 4}, {0.3, 4}, {0.3, 4}}};
  const auto error = day_error(days, 0.99);
  ASSERT_TRUE(error);
  const double variance = (2 * 0.01 + 0 + 0.04 + 2 * 0.01) / 4;
  EXPECT_NEAR(error->sd, std::sqrt(variance), 1e-12);
  EXPECT_EQ(error->degrees, 4);
  EXPECT_NEAR(error->half, 4.604094871 * std::sqrt(variance), 1e-6) << "t of 0.995 with 4 degrees; 1/2 + 1/2 variances";
  EXPECT_NEAR(error->alone, 2.776445105 * std::sqrt(variance), 1e-6);
}

TEST(Days, AMeasurementOfFewerRunsThanUsualIsNoisier) {
  const std::vector<DayMean> others = {{0.0, 4}, {0.1, 4}, {0.2, 4}};
  const auto usual = day_error({{{0, 4}}, {{0, 4}}, others}, 0.95), few = day_error({{{0, 1}}, {{0, 4}}, others}, 0.95);
  EXPECT_NEAR(few->half / usual->half, std::sqrt(5.0 / 2), 1e-12) << "4 and 1 in the place of 1 and 1";
}

TEST(Days, OneMeasurementASideTellsNothingOfDays) { EXPECT_FALSE(day_error({{{0, 3}}, {{0.1, 3}}, {}}, 0.95)); }

/// Six cells measured before and after, `treated` times as long after; days differ by `day`, runs by 0.1 %.
struct Results {
  std::mt19937_64 random;
  std::normal_distribution<double> normal{};
  StudyBuilder study;

  explicit Results(unsigned seed) : random(seed) {
    study.label("cell", StudyBuilder::kNumeric);
    study.label("result");
    study.descriptive_label("measurement");
    study.metric("time", "ns", Polarity::kLowerIsBetter);
  }
  void measured(const std::string& side, const std::string& measurement, double treated, double day,
                bool noise = false) {
    const double today = day * normal(random);
    for (int cell = 0; cell < 6; ++cell) {
      for (int run = 0; run < 3; ++run) {
        const std::string name = measurement + "/" + std::to_string(cell) + "_" + std::to_string(run);
        const StudyBuilder::LabelValues labels = {
            {"cell", std::to_string(cell)}, {"result", side}, {"measurement", measurement}};
        auto& report = noise ? study.noise_report(name, labels) : study.report(name, labels);
        report.attribute("fingerprint", std::to_string(cell) + side)
            .fact("time", 1000 * treated * std::exp(today + 0.001 * normal(random)));
      }
    }
  }
  PairStudy compared() {
    const StudyView view(study.build());
    PairStudy out = compare_pairs(view, {"test", {{"result", "before", "after"}}, {{"time"}}});
    widen_by_days(view, out, "measurement");
    return out;
  }
};

struct Sides {
  std::size_t each = 1, noise = 0;
};

PairStudy study(unsigned seed, Sides sides, double treated, double day) {
  Results results(seed);
  for (std::size_t i = 0; i < sides.each; ++i) {
    results.measured("before", "before " + std::to_string(i), 1, day);
    results.measured("after", "after " + std::to_string(i), treated, day);
  }
  for (std::size_t i = 0; i < sides.noise; ++i) {
    const std::string name = "noise " + std::to_string(i);
    results.measured(name, name, 1, day, true);
  }
  return results.compared();
}

/// Of 300 studies, those in which a cell is told to differ.
std::size_t count_different(Sides sides, double treated, double day) {
  std::size_t count = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    if (study(seed, sides, treated, day).tally().differs > 0) ++count;
  }
  return count;
}

// 24 of 300 is the upper end of what 5 % give by chance.
TEST(Days, EqualProgramsOnDaysThatDifferByOnePercentAreEqual) {
  for (const Sides sides : {Sides{1, 0}, {1, 8}, {2, 0}, {3, 0}, {5, 0}})
    EXPECT_LE(count_different(sides, 1, 0.01), 15U) << sides.each << " results a side, " << sides.noise << " of noise";
}

TEST(Days, ManyMeasurementsHoldDaysThatDifferByMore) {
  for (const Sides sides : {Sides{1, 10}, {5, 0}})
    EXPECT_LE(count_different(sides, 1, 0.06), 24U) << sides.each << " results a side, " << sides.noise << " of noise";
}

TEST(Days, AreExceededByARealChange) {
  EXPECT_GE(count_different({1, 0}, 1.15, 0.01), 285U) << "one result a side: beyond 8 %";
  EXPECT_GE(count_different({5, 0}, 1.05, 0.01), 285U);
  EXPECT_GE(count_different({1, 12}, 1.10, 0.01), 285U);
}

TEST(Days, TheIntervalSaysWhatItHolds) {
  const PairStudy one = study(1, {1, 0}, 1, 0.01), many = study(1, {3, 4}, 1, 0.01);
  EXPECT_TRUE(contains(one.effects.front().contrast->method, "one measurement per side, so it reaches 8.0 % further"));
  EXPECT_TRUE(contains(many.effects.front().contrast->method, "days of measuring differ by"));
  EXPECT_TRUE(contains(many.effects.front().contrast->method, "(7 degrees of freedom) over 10 measurements"));
}

TEST(Days, CountsThatNeverDifferHaveNoDays) {
  StudyBuilder study;
  study.label("result").descriptive_label("measurement");
  for (const char* side : {"before", "after"}) {
    for (int run = 0; run < 2; ++run) {
      study.report(std::string(side) + std::to_string(run), {{"result", side}, {"measurement", side}})
          .attribute("fingerprint", side)
          .fact("launches", std::string_view(side) == "after" ? 103 : 100);
    }
  }
  const StudyView view(study.build());
  PairStudy out = compare_pairs(view, {"test", {{"result", "before", "after"}}, {{"launches"}}});
  widen_by_days(view, out, "measurement");
  EXPECT_EQ(out.effects.front().outcome, PairOutcome::kDiffers);
}

}  // namespace assay::days_test
