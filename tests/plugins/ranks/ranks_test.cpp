// Jobs made up in ten lines: who waits for whom, what is named and what is not, what is refused.
#include "plugins/analyzers.hpp"
#include "ranks_job.hpp"
#include "support/test.hpp"

namespace assay::ranks::plugins_ranks_test {

using under_test::ranks::gathered;

TEST(Waits, AreWhatARankTakesLongerThanTheLastToArrive) {
  // Rank 0 arrives at 401 us, rank 1 at 601 us; both leave at 700 us.
  const JobRecorder r = job_of({{}, {.compute = 600000}});
  EXPECT_TRUE(has_values(r, {{"collective.matched_count", 6}, {"collective.unmatched_count", 0}}));
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 200000);
  EXPECT_EQ(r.value("rank.wait_exposed_ns", "", 0), 200000) << "no compute runs beside it";
  EXPECT_EQ(r.value("rank.wait_ns", "", 1), 0);
  EXPECT_EQ(r.value("comm.transfer_ns"), 99000);
  EXPECT_EQ(r.value("rank.own_ns", "", 0), 499000);
  EXPECT_EQ(r.value("rank.own_ns", "", 1), 699000);
  EXPECT_EQ(r.value("straggler.share", "", 1), 1);
  EXPECT_EQ(r.value("straggler.excess_ns", "part=compute", 1), 200000);
}

TEST(Waits, NeedNoClock) {
  const JobRecorder r = job_of({{}, {.compute = 600000, .clock = 555, .shift = 123456789}});
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 200000);
  EXPECT_EQ(r.value("straggler.rank", "cause=compute"), 1);
}

TEST(Stragglers, AreNamedByCostAndConstancyWithTheirCause) {
  const JobRecorder slow = job_of({{}, {.compute = 600000}, {}});
  EXPECT_EQ(slow.value("straggler.rank", "cause=compute"), 1);
  EXPECT_NEAR(*slow.value("straggler.slowdown_ratio"), 699.0 / ((499 + 699 + 499) / 3.0), 1e-12);
}

TEST(Stragglers, AreIdleIfTheirHostStalls) {
  // The device of rank 1 gets its work 200 us late, between its step and the one before.
  const JobRecorder r = job_of({{}, {.stall = 200000}});
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 200000);
  EXPECT_EQ(r.value("straggler.excess_ns", "part=between", 1), 200000);
  EXPECT_EQ(r.value("straggler.excess_ns", "part=compute", 1), 0);
  EXPECT_EQ(r.value("straggler.rank", "cause=idle/host"), 1);
}

TEST(Stragglers, AreAbsentIfComingLastCostsNothing) {
  // Rank 1 is last in every collective, by 1 us of 700.
  const JobRecorder r = job_of({{}, {.compute = 401000}});
  EXPECT_EQ(r.value("straggler.last_count", "", 1), 5);
  EXPECT_EQ(r.value("straggler.share", "", 1), 1);
  EXPECT_EQ(r.fact_of("straggler.rank", "cause=compute"), nullptr);
  EXPECT_TRUE(contains(*r.skip_of("straggler.rank"), "there is none"));
}

TEST(Clocks, AreShiftedOnlyWhereCausalityForbidsWhatTheySay) {
  const JobRecorder right = job_of({{}, {.compute = 600000}});
  EXPECT_EQ(right.value("clock.offset_used_ns", "", 1), 0);
  EXPECT_EQ(right.value("rank.skew_ns"), 200000);
  // Between 0's start (401) - 1's end (700) and 0's end (700) - 1's start (601).
  EXPECT_EQ(right.value("clock.offset_low_ns", "", 1), -299000);
  EXPECT_EQ(right.value("clock.offset_high_ns", "", 1), 99000);
  const JobRecorder shifted = job_of({{}, {.compute = 600000, .shift = 5000000}});
  EXPECT_EQ(shifted.value("clock.offset_used_ns", "", 1), -5000000) << "the median of the ends";
  EXPECT_TRUE(contains(*shifted.issue_of("clock_offset"), "rank 1"));
  EXPECT_EQ(shifted.value("rank.skew_ns"), 200000);
}

TEST(Clocks, DoNotResolveASkewBelowTheirUncertainty) {
  const JobRecorder r = job_of({{}, {.compute = 401000}});
  EXPECT_EQ(r.value("rank.skew_resolved_ratio"), 0);
  EXPECT_TRUE(contains(*r.issue_of("skew_not_resolved"), "not resolved"));
}

TEST(Clocks, WithoutAnOriginLeaveTheWaiting) {
  std::vector<RecordedTable> rows = rank_of({.compute = 600000});
  for (RecordedTable& table : rows) {
    if (table.id == "rank") table.columns.front().integers.front() = kNoInteger;
  }
  JobBuilder job;
  job.rank(0, 2, rank_of({})).rank(1, 2, rows);
  const JobRecorder r = gathered(job.build());
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 200000);
  EXPECT_EQ(r.fact_of("rank.skew_ns"), nullptr);
  EXPECT_TRUE(contains(*r.skip_of("rank.skew_ns, critical.rank_share"), "cannot be compared"));
}

TEST(CriticalPath, GoesToTheLastToArrive) {
  const JobRecorder r = job_of({{}, {.compute = 600000}});
  // Both end at 700 us; from rank 0 it goes to rank 1 when that arrives, at 601 us.
  EXPECT_DOUBLE_EQ(*r.value("critical.rank_share", "", 1), 600.0 / 699);
  EXPECT_DOUBLE_EQ(*r.value("critical.rank_share", "", 0), 99.0 / 699);
}

TEST(Matching, DropsStepsThatNotAllRanksHave) {
  const JobRecorder r = job_of({{}, {.steps = 5, .first_step = 2}});
  EXPECT_EQ(r.value("collective.matched_count"), 4) << "steps 2 to 5";
  EXPECT_EQ(r.value("collective.unmatched_count"), 3) << "steps 0, 1 and 6";
  EXPECT_TRUE(contains(*r.issue_of("steps_not_in_common"), "step 0"));
}

TEST(Matching, RefusesSequencesThatDifferWithin) {
  const JobRecorder r = job_of({{}, {.sizes = {8192}}});
  EXPECT_EQ(r.value("collective.matched_count"), 0);
  EXPECT_TRUE(contains_all(*r.issue_of("unlike_collectives"), {"different collectives", "step 0"}));
  EXPECT_EQ(r.fact_of("rank.wait_ns", "", 0), nullptr);
}

TEST(Matching, LeavesOutMessagesThatNotAllRanksHave) {
  const Shape one{.kind = CollectiveKind::kSendReceive, .source = Source::kNsys};
  Shape two = one;
  two.sizes = {1, 1};
  const JobRecorder r = job_of({one, two});
  EXPECT_TRUE(has_values(r, {{"collective.matched_count", 0}, {"collective.unmatched_count", 0}}));
  EXPECT_FALSE(r.issue_of("unlike_collectives")) << "stages of a pipeline are no ranks of different programs";
  EXPECT_TRUE(has_values(job_of({two, two}), {{"collective.matched_count", 12}})) << "an all-to-all";
}

TEST(Matching, ByNumberSurvivesACollectiveThatIsMissing) {
  std::vector<RecordedTable> rows = rank_of({.sequence = true});
  for (RecordedTable& table : rows) {
    if (table.id != "collectives") continue;
    for (RecordedColumn& column : table.columns) column.integers.erase(column.integers.begin() + 3);
  }
  JobBuilder job;
  job.rank(0, 2, rank_of({.sequence = true})).rank(1, 2, rows);
  const JobRecorder r = gathered(job.build());
  EXPECT_TRUE(has_values(r, {{"collective.matched_count", 5}, {"collective.unmatched_count", 1}}));
}

TEST(Bandwidth, RestsOnTheTimeWithoutWaiting) {
  const JobRecorder r = job_of({{}, {.compute = 600000}});
  EXPECT_DOUBLE_EQ(*r.value("comm.algbw_bytes_per_s", "bytes=4096;kind=all_reduce"), 4096 / 99000e-9);
  EXPECT_DOUBLE_EQ(*r.value("comm.busbw_bytes_per_s", "bytes=4096;kind=all_reduce"), 4096 / 99000e-9)
      << "the factor of two ranks is 1";
}

TEST(Bandwidth, IgnoresWaitingForMessages) {
  const JobRecorder r = job_of({{.kind = CollectiveKind::kSend}, {.compute = 600000, .kind = CollectiveKind::kSend}});
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), std::nullopt) << "a message does not synchronise all ranks";
}

TEST(Jobs, SayWhoIsMissing) {
  const JobRecorder one = job_of({{}}, 4);
  EXPECT_TRUE(contains(*one.issue_of("missing_ranks"), "1 of 4 ranks"));
  EXPECT_TRUE(contains(*one.skip_of("rank.*, straggler.*"), "needs the others"));
  const JobRecorder two = job_of({{}, {.compute = 600000}}, 4);
  EXPECT_TRUE(contains(*two.issue_of("missing_ranks"), "bounds"));
  EXPECT_EQ(two.value("rank.wait_ns", "", 0), 200000);
}

TEST(Jobs, RejectEqualRanksAndTwoAddresses) {
  JobBuilder twice;
  twice.rank(1, 2, rank_of({}), "a.sqlite").rank(1, 2, rank_of({}), "b.sqlite");
  EXPECT_TRUE(contains(*gathered(twice.build()).issue_of("not_one_job"), "rank 1 has two profiles"));
  EXPECT_TRUE(
      contains(*job_of({{.master = "a"}, {.master = "b"}}).issue_of("not_one_job"), "different master addresses"));
  JobBuilder foreign;
  foreign.rank(0, 2, rank_of({})).rank(7, 2, rank_of({}));
  EXPECT_TRUE(contains(*gathered(foreign.build()).issue_of("not_one_job"), "rank 7 is not a rank of a job of 2"));
}

}  // namespace assay::ranks::plugins_ranks_test
