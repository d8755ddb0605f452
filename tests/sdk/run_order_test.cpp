#include "assay/detail/run_order.hpp"

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "assay/testing/study_builder.hpp"
#include "simulation/simulation.hpp"
#include "support/test.hpp"

namespace assay::run_order_test {

using testing::StudyBuilder;
using Places = std::vector<std::int32_t>;

TEST(RunOrder, PlacesAreByTimeAndAJobHasOne) {
  StudyBuilder study;
  study.rank_label("rank");
  study.report("a").attribute("recorded", "2026-11-21 01:00:09");
  study.report("b");
  study.report("c/0", {{"rank", "0"}}).attribute("recorded", "2026-11-21 01:00:05");
  study.report("c/1", {{"rank", "1"}}).attribute("recorded", "2026-11-21 01:00:06");
  study.report("d").attribute("recorded", "2026-11-21 01:00:07");
  EXPECT_TRUE(equals(recording_order(StudyView(study.build())), {2, kNone, 0, 0, 1}));
}

TEST(RunOrder, InterleavedRunsAreNotWidened) {
  const RunOrder order = run_order(Places{0, 2, 4}, Places{1, 3, 5});
  EXPECT_TRUE(order.interleaved());
  EXPECT_EQ(order.widening, 1);
  EXPECT_EQ(order.note, "");
}

// By hand: V = 2 * (3 + 4r + 2r^2) / 9; each side's squares are expected to be 3 - (3 + 4r + 2r^2) / 3.
TEST(RunOrder, RunsInARowAreWidenedByTheVarianceTheirSpreadDoesNotShow) {
  const double r = kAssumedCorrelation, all = 3 + 4 * r + 2 * r * r, variance = 2 * all / 9,
               expected = 2 * (3 - all / 3) / 4 * (2.0 / 3);
  for (const auto& [base, treated] :
       {std::pair(Places{0, 1, 2}, Places{3, 4, 5}), std::pair(Places{7, 8, 9}, Places{0, 1, 2})}) {
    const RunOrder order = run_order(base, treated);
    EXPECT_FALSE(order.interleaved());
    EXPECT_NEAR(order.widening, std::sqrt(variance / expected), 1e-12);
    EXPECT_LT(order.degrees, 4);
    EXPECT_GT(order.degrees, 2);
    EXPECT_TRUE(contains(order.note, "made in a row, not interleaved"));
  }
  EXPECT_TRUE(contains(run_order({}, Places{0, 1, 2}).note, "its runs were made in a row"));
  EXPECT_EQ(run_order({}, Places{0, 20, 40}).note, "") << "a level whose runs are scattered";
}

TEST(RunOrder, WithoutTimesOrASpreadOfItsOwnNothingIsWidened) {
  EXPECT_FALSE(run_order(Places{0, kNone}, Places{1, 2}).known);
  EXPECT_EQ(run_order(Places{0, kNone}, Places{1, 2}).widening, 1);
  EXPECT_EQ(run_order(Places{0}, Places{1}).widening, 1) << "one run per side";
}

enum class RunOrderKind { kInARow, kInARowApart, kInterleaved };

/// Studies of `strata` comparisons without effect in which a t interval, widened by run_order, leaves out 0 anywhere.
simulation::Rate false_studies(RunOrderKind made, double correlation, std::int32_t strata, std::int32_t runs,
                               Random random, std::size_t studies) {
  simulation::Rate out;
  for (std::size_t n = 0; n < studies; ++n) {
    std::vector<double> y(static_cast<std::size_t>(2 * runs * strata));
    double z = random.normal();
    for (std::size_t i = 0; i < y.size(); ++i) {
      // Apart: each side has a process of its own, as where the machine rests between them.
      if (made == RunOrderKind::kInARowApart && i % static_cast<std::size_t>(runs) == 0) z = random.normal();
      y[i] = z;
      z = correlation * z + std::sqrt(1 - correlation * correlation) * random.normal();
    }
    bool found = false;
    for (std::int32_t s = 0; s < strata; ++s) {
      std::array<Places, 2> places;
      std::array<std::vector<double>, 2> values;
      for (std::int32_t i = 0; i < 2 * runs; ++i) {
        const auto side = static_cast<std::size_t>(made == RunOrderKind::kInterleaved ? i % 2 : i / runs);
        places[side].push_back(2 * runs * s + i);
        values[side].push_back(y[static_cast<std::size_t>(2 * runs * s + i)]);
      }
      const RunOrder order = run_order(places[0], places[1]);
      const double freedom = 2 * (runs - 1);
      const double sd = std::sqrt((squared_deviations(values[0]) + squared_deviations(values[1])) / freedom);
      const double half = student_t_quantile(1 - 0.025 / strata, std::min(freedom, order.degrees)) * sd *
                          std::sqrt(2.0 / runs) * order.widening;
      found = found || std::abs(mean(values[1]) - mean(values[0])) > half;
    }
    out.add(found);
  }
  return out;
}

TEST(RunOrderSimulated, SeriallyDependentRunsInARowGiveFewFalseDifferences) {
  for (const auto& [made, name] : {std::pair(RunOrderKind::kInARow, "in a row"),
                                   std::pair(RunOrderKind::kInARowApart, "in a row, a process a side"),
                                   std::pair(RunOrderKind::kInterleaved, "interleaved")}) {
    for (const double correlation : {0.5, 0.8}) {
      for (const std::int32_t runs : {2, 3, 5, 10}) {
        char row[96];
        std::snprintf(row, sizeof row, "AR(1) %.1f, %s, 2 strata, %d runs a side", correlation, name, runs);
        simulation::expect_rarely(
            row, "studies with a false difference",
            false_studies(made, correlation, 2, runs, simulation::stream(row), simulation::studies(300)));
      }
    }
  }
}

}  // namespace assay::run_order_test
