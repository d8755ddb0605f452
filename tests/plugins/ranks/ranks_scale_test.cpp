// Many ranks in many groups: right answers, and work that grows with the rows, not with pairs of ranks.
#include <chrono>
#include <iostream>

#include "plugins/analyzers.hpp"
#include "ranks_job.hpp"
#include "support/test.hpp"

namespace assay::ranks::ranks_scale_test {

using under_test::ranks::gathered;

/// A job of `ranks`, each in three groups (data: all ranks, tensor: its node of 8, pipeline: its pair),
/// made as rows at once: `collectives` a step in each, clocks that are shifted and drift, a rank that begins a step
/// later and one that ends earlier. Rank `slow` computes 100 us longer in every step.
JobBuilder large_job(std::int64_t ranks, std::int64_t collectives, std::int64_t steps, std::int64_t slow,
                     std::int64_t missing, std::int64_t ppm = 1) {
  JobBuilder job;
  const auto integers = [](std::string name, std::vector<std::int64_t> cells) {
    return RecordedColumn{std::move(name), "", CellType::kInteger, {}, std::move(cells), {}};
  };
  const auto texts = [](std::string name, std::vector<std::string> cells) {
    return RecordedColumn{std::move(name), "", CellType::kText, std::move(cells), {}, {}};
  };
  constexpr std::int64_t kNode = 8, kPeriod = 10000000, kLate = 100000, kTransfer = 500;
  for (std::int64_t r = 0; r < ranks; ++r) {
    if (r == missing) continue;
    const std::int64_t first = r == 1 ? 1 : 0, last = r == 2 ? steps - 1 : steps;
    const std::string data = "data", tensor = "tensor" + std::to_string(r / kNode),
                      pipeline = "pipeline" + std::to_string(r / 2);
    std::vector<std::int64_t> number, host, start, end, none, step, group, kind, sequence, size, begin, finish, bare;
    std::vector<std::int64_t> bare_start, bare_end;
    for (std::int64_t s = first; s < last; ++s) {
      // The rank's clock: shifted by its number, and too fast by so much for every rank of a node.
      const auto own = [&](std::int64_t time) { return time + r * 777 + time * ppm * (r % kNode) / 1000000; };
      const std::int64_t at = s * kPeriod;
      number.push_back(s);
      host.push_back(own(at));
      start.push_back(own(at));
      std::int64_t ready = at + (r == slow ? kLate : 0), released = at + kLate;
      for (std::int64_t c = 0; c < collectives; ++c) {
        for (std::int64_t g = 0; g < 3; ++g) {
          step.push_back(s - first);
          group.push_back(g);
          kind.push_back(static_cast<std::int64_t>(CollectiveKind::kAllReduce));
          sequence.push_back(kNone);
          size.push_back(1024);
          bare.push_back(static_cast<std::int64_t>(bare_start.size()));
          begin.push_back(own(ready));
          finish.push_back(own(released + kTransfer));
          bare_start.push_back(begin.back());
          bare_end.push_back(finish.back());
          ready = released = released + kTransfer;
        }
      }
      end.push_back(own(released));
      none.push_back(0);
    }
    std::vector<std::int64_t> compute;
    for (std::size_t s = 0; s < number.size(); ++s) compute.push_back(r == slow ? kLate : 0);
    std::vector<RecordedTable> rows;
    rows.push_back(
        {"rank", "", {integers("origin", {0}), integers("base", {0}), texts("host", {""}), texts("master", {""})}});
    rows.push_back({"groups", "", {texts("name", {data, tensor, pipeline}), integers("size", {ranks, kNode, 2})}});
    rows.push_back(
        {"steps",
         "",
         {integers("step", number), integers("host_start", host), integers("start", start), integers("end", end),
          integers("compute", compute), integers("copy", none), integers("idle", none)}});
    rows.push_back({"collectives",
                    "",
                    {integers("step", step), integers("group", group), integers("kind", kind),
                     integers("sequence", sequence), integers("sent", size), integers("received", size),
                     integers("start", begin), integers("end", finish), integers("uncovered", bare)}});
    rows.push_back({"uncovered", "", {integers("start", bare_start), integers("end", bare_end)}});
    job.rank(r, ranks, std::move(rows));
  }
  return job;
}

TEST(Scale, ManyRanksInThreeGroupsWithRaggedEndsShiftedClocksAndOneMissing) {
  constexpr std::int64_t kRanks = 64, kCollectives = 4, kSteps = 6, kSlow = 5, kMissing = 63;
  JobBuilder job = large_job(kRanks, kCollectives, kSteps, kSlow, kMissing);
  const JobRecorder r = gathered(job.build());
  EXPECT_EQ(r.value("job.rank_count"), kRanks - 1);
  EXPECT_TRUE(contains(*r.issue_of("missing_ranks"), "63 of 64 ranks"));
  EXPECT_EQ(r.value("job.step_count"), 3) << "steps 1 to 4 are in all, and the first of them is left out";
  // The data group, 8 tensor groups, 31 pipeline groups, of whose last one is missing; 4 collectives in each of 4
  // steps.
  EXPECT_EQ(r.value("collective.matched_count"), (1 + 8 + 31) * 4 * 4);
  EXPECT_EQ(r.issue_of("unlike_collectives"), std::nullopt);
  EXPECT_EQ(r.value("straggler.rank", "cause=compute"), kSlow);
  EXPECT_NEAR(*r.value("rank.wait_exposed_ns", "", 13), 100000, 10);
  EXPECT_NEAR(*r.value("rank.wait_exposed_ns", "", kSlow), 0, 10);
}

TEST(Scale, ClocksThatDriftApartAreBroughtTogether) {
  // The last rank of a node gains 350 ppm, 14 us in four steps: far more than a collective of 500 ns allows.
  constexpr std::int64_t kRanks = 64, kSlow = 5, kPpm = 50;
  JobBuilder job = large_job(kRanks, 4, 6, kSlow, -1, kPpm);
  const JobRecorder r = gathered(job.build());
  for (const std::int64_t rank : {1, 7, 15, 62}) {
    ASSERT_TRUE(r.value("clock.drift_ppm", "", static_cast<Row>(rank))) << rank;
    EXPECT_NEAR(*r.value("clock.drift_ppm", "", static_cast<Row>(rank)), -static_cast<double>(kPpm * (rank % 8)), 30)
        << rank;
  }
  EXPECT_EQ(r.fact_of("clock.drift_ppm", "", 8), nullptr) << "the first rank of a node keeps time";
  ASSERT_TRUE(r.value("clock.uncertainty_ns"));
  EXPECT_LT(*r.value("clock.uncertainty_ns"), 2500);
  EXPECT_EQ(r.value("straggler.rank", "cause=compute"), kSlow);
  // Of 12 collectives of a step only the first of each rank waits, for 100 us.
  EXPECT_GT(*r.value("rank.skew_resolved_ratio"), 0);
  EXPECT_LT(*r.value("rank.skew_resolved_ratio"), 0.1);
}

TEST(Scale, RowsOfMatchesGrowWithTheRanksNotWithTheirPairs) {
  const OptionInputs options = {{"matches", true}};
  for (const std::int64_t ranks : {16, 32, 64}) {
    JobBuilder job = large_job(ranks, 4, 6, 5, -1);
    const JobRecorder r = gathered(job.build(), options);
    for (const RecordedTable& table : r.tables) {
      const std::size_t rows = table.columns.front().texts.size() + table.columns.front().integers.size();
      if (table.id == "matched") {
        EXPECT_EQ(rows, static_cast<std::size_t>(ranks * 3 * 4 * 4)) << "a rank, group and collective";
      } else if (table.id == "clocks") {
        EXPECT_EQ(rows, static_cast<std::size_t>(ranks));
      }
    }
  }
}

/// For a build with optimisation: --gtest_also_run_disabled_tests --gtest_filter='*FullSize'.
TEST(Scale, DISABLED_FullSize) {
  for (const std::int64_t ranks : {128, 256, 512}) {
    JobBuilder job = large_job(ranks, 333, 10, 5, ranks - 1, 20);
    const Job& built = job.build();
    const auto start = std::chrono::steady_clock::now();
    const JobRecorder r = gathered(built);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::cout << ranks << " ranks, " << *r.value("collective.matched_count") << " matched collectives: " << time.count()
              << " s\n";
    EXPECT_EQ(r.value("straggler.rank", "cause=compute"), 5);
  }
}

}  // namespace assay::ranks::ranks_scale_test
