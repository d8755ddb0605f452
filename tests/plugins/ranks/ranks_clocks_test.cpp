// Clocks that run at different rates, that jump, and lines between points.
#include <random>

#include "plugins/analyzers.hpp"
#include "plugins/ranks/line_bounds.hpp"
#include "ranks_job.hpp"
#include "support/test.hpp"

namespace assay::ranks::ranks_clocks_test {

using namespace under_test::ranks;

/// Short collectives over 200 steps: of 9 us, which bound a clock well.
Shape short_collectives(double ppm, std::int64_t compute = 690000) {
  return {.steps = 200, .compute = compute, .ppm = ppm};
}

TEST(Drift, IsFoundFromManyCollectives) {
  // 200 ppm over 200 ms are 40 us, more than twice what one offset could explain.
  const JobRecorder r = job_of({short_collectives(0), short_collectives(200)});
  ASSERT_TRUE(r.value("clock.drift_ppm", "", 1));
  EXPECT_NEAR(*r.value("clock.drift_ppm", "", 1), -200, 2) << "its clock is too fast, so that much is taken off";
  EXPECT_TRUE(contains_all(*r.issue_of("clock_drift"), {"rank 1", "200 ppm fast", "right to"}));
  ASSERT_TRUE(r.value("clock.uncertainty_ns"));
  EXPECT_GT(*r.value("clock.uncertainty_ns"), 8000) << "a collective lasts 9 us";
  EXPECT_LT(*r.value("clock.uncertainty_ns"), 20000);
  EXPECT_LT(*r.value("rank.skew_ns"), 300) << "both arrive together";
  EXPECT_TRUE(contains(*r.issue_of("skew_not_resolved"), "not resolved"));
  EXPECT_EQ(r.value("rank.skew_resolved_ratio"), 0);
}

TEST(Drift, KeepsTheSkewOfALateRank) {
  // Rank 1 comes 5 us late: the ends agree, so that this is seen, though the bounds do not resolve it.
  const JobRecorder r = job_of({short_collectives(0), short_collectives(-150, 695000)});
  EXPECT_NEAR(*r.value("clock.drift_ppm", "", 1), 150, 2);
  EXPECT_NEAR(*r.value("rank.skew_ns"), 5000, 300);
  EXPECT_NEAR(*r.value("rank.wait_ns", "", 0), 5000, 1) << "by the duration alone, but for the rate of the clock";
}

TEST(Drift, IsAbsentIfOneOffsetSuffices) {
  const JobRecorder r = job_of({short_collectives(0), short_collectives(20)});
  EXPECT_EQ(r.fact_of("clock.drift_ppm", "", 1), nullptr);
  EXPECT_EQ(r.value("clock.offset_used_ns", "", 1), 0);
}

TEST(Drift, IsAbsentIfAClockWasSet) {
  std::vector<RecordedTable> rows = rank_of(short_collectives(0));
  for (RecordedTable& table : rows) {
    for (RecordedColumn& column : table.columns) {
      if (column.name != "start" && column.name != "end") continue;
      for (std::size_t i = column.integers.size() / 2; i < column.integers.size(); ++i) column.integers[i] += 10000000;
    }
  }
  JobBuilder job;
  job.rank(0, 2, rank_of(short_collectives(0))).rank(1, 2, rows);
  const JobRecorder r = gathered(job.build());
  EXPECT_TRUE(contains(*r.issue_of("clock_not_aligned"), "No offset and no drift"));
  EXPECT_EQ(r.fact_of("rank.skew_ns"), nullptr);
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 0) << "needs no clock";
}

TEST(Drift, AddsUpAlongIntermediateRanks) {
  // Groups {0, 1} and {1, 2}: rank 2 meets rank 0 nowhere.
  std::vector<RecordedTable> rows[3];
  const double ppm[] = {0, 200, 350};
  for (std::size_t r = 0; r < 3; ++r) {
    ReportBuilder b;
    b.property("origin_ns", "1000");
    for (std::int64_t i = 0; i < 200; ++i) {
      const auto own = [&](std::int64_t time) {
        return time + static_cast<std::int64_t>(static_cast<double>(time) * ppm[r] / 1e6);
      };
      const std::int64_t at = i * 1000000;
      b.range("step_" + std::to_string(i), own(at), own(at + 999000));
      const Row call = b.call(CallKind::kKernelLaunch, own(at + 1), own(at + 2));
      b.kernel("gemm", own(at + 10), own(at + 500000), {.call = call});
      const auto meet = [&](const char* group, std::int64_t begin) {
        const Row nccl =
            b.kernel("ncclDevKernel_AllReduce", own(at + begin), own(at + begin + 9000), {.stream = 17, .call = call});
        b.collective(nccl, CollectiveKind::kAllReduce, {.group = group, .group_ranks = group, .group_size = 2});
      };
      if (r < 2) meet("0,1", 500000);
      if (r > 0) meet("1,2", 600000);
    }
    rows[r] = analyzed(b.build()).rank_tables;
  }
  JobBuilder job;
  for (std::size_t r = 0; r < 3; ++r) job.rank(static_cast<std::int64_t>(r), 3, rows[r]);
  const JobRecorder r = gathered(job.build());
  EXPECT_NEAR(*r.value("clock.drift_ppm", "", 1), -200, 3);
  EXPECT_NEAR(*r.value("clock.drift_ppm", "", 2), -350, 3);
  EXPECT_LT(*r.value("rank.skew_ns"), 500);
}

TEST(Lines, BetweenPointsHaveTheSlopesThatFit) {
  LineBounds bounds;
  for (const double x : {0.0, 1e6}) {
    bounds.at_least(x, x / 1e4);
    bounds.at_most(x, x / 1e4 + 1);
  }
  const auto slopes = bounds.slopes();
  ASSERT_TRUE(slopes);
  EXPECT_NEAR(slopes->first, 99e-6, 1e-12);
  EXPECT_NEAR(slopes->second, 101e-6, 1e-12);
  EXPECT_NEAR(bounds.offsets(1e-4).first, 0, 1e-9);
  EXPECT_NEAR(bounds.offsets(1e-4).second, 1, 1e-9);
  const auto [least, most] = bounds.range_at(2e6, *slopes);
  EXPECT_NEAR(least, 199, 1e-6) << "through (0, 1) and (1e6, 100)";
  EXPECT_NEAR(most, 202, 1e-6) << "through (0, 0) and (1e6, 101)";
}

TEST(Lines, AreAbsentIfImpossible) {
  LineBounds bounds;
  for (const double x : {0.0, 1e6, 2e6}) {
    bounds.at_least(x, x == 1e6 ? 50 : 0);
    bounds.at_most(x, x == 1e6 ? 60 : 1);
  }
  EXPECT_FALSE(bounds.slopes()) << "it would have to bend";
}

TEST(Lines, AreHeldByTheHullAsByAllPoints) {
  std::mt19937_64 random(16);
  std::uniform_real_distribution<double> place(-1e9, 1e9), height(-1e5, 1e5);
  for (const bool upper : {false, true}) {
    HalfHull hull(upper);
    std::vector<BoundPoint> all;
    for (int i = 0; i < 5000; ++i) {
      all.push_back({place(random), height(random)});
      hull.add(all.back().x, all.back().y);
    }
    for (const double slope : {-1e-3, -1e-5, 0.0, 3e-6, 1e-3}) {
      double limit = upper ? 1e300 : -1e300;
      for (const BoundPoint& p : all)
        limit = upper ? std::min(limit, p.y - slope * p.x) : std::max(limit, p.y - slope * p.x);
      EXPECT_NEAR(hull.limit(slope), limit, 1e-6) << slope;
    }
  }
}

}  // namespace assay::ranks::ranks_clocks_test
