// Jobs that go wrong in other ways than the recorded ones: what is named, and above all what is not.
#include "plugins/analyzers.hpp"
#include "ranks_job.hpp"
#include "support/test.hpp"

namespace assay::ranks::ranks_variants_test {

using namespace under_test::ranks;

/// The cause of the rank that is named, as "1 compute"; "none".
std::string named(const JobRecorder& r) {
  for (const RecordedFact& fact : r.facts) {
    if (fact.metric == "straggler.rank") return std::to_string(static_cast<int>(fact.value)) + " " + fact.dims;
  }
  return "none";
}

TEST(IdleHost, IsTheCauseWhereOneHostStallsBetweenLaunches) {
  for (const Source source : {Source::kTorch, Source::kNsys, Source::kNsysWithBlobs}) {
    const JobRecorder r =
        job_of({{.steps = 10, .source = source}, {.steps = 10, .source = source, .stall_between = 150000}});
    EXPECT_EQ(named(r), "1 cause=idle/host") << static_cast<int>(source);
    EXPECT_EQ(r.value("straggler.excess_ns", "part=idle", 1), 150000);
    EXPECT_EQ(r.value("straggler.excess_ns", "part=compute", 1), 0);
    EXPECT_EQ(r.value("rank.wait_exposed_ns", "", 0), 150000);
    EXPECT_EQ(r.value("rank.wait_exposed_ns", "", 1), 0) << "the rank that stalls waits for nobody";
  }
}

TEST(IdleHost, IsTheCauseWhereTheHostStallsBetweenSteps) {
  for (const Source source : {Source::kTorch, Source::kNsys})
    EXPECT_EQ(named(job_of({{.source = source}, {.stall = 150000, .source = source}})), "1 cause=idle/host");
}

TEST(IdleHost, IsTheCauseThoughWaitingSlowsTheOthersCompute) {
  // Rank 0 computes longer, because its all-reduce spins beside: that is no clue.
  EXPECT_EQ(named(job_of({{.compute = 430000}, {.compute = 400000, .stall_between = 200000}})), "1 cause=idle/host");
}

TEST(Causes, AreCopiesWhereThoseTakeLonger) {
  EXPECT_EQ(named(job_of({{.copy = 10000}, {.copy = 200000}})), "1 cause=copy");
}

TEST(Constancy, IsLowForARankThatIsSlowInSomeSteps) {
  std::vector<std::int64_t> some(10, 0);
  some[3] = some[7] = some[8] = 250000;
  const JobRecorder r = job_of({{.steps = 10}, {.steps = 10, .more = some}});
  EXPECT_EQ(named(r), "none");
  EXPECT_EQ(r.value("straggler.share", "", 1), 1) << "all waiting is for it, and yet";
  EXPECT_EQ(r.value("straggler.slowest_rank"), 1) << "no verdict";
}

TEST(Constancy, IsAbsentForASingleVeryLongStep) {
  EXPECT_EQ(named(job_of({{.steps = 10}, {.steps = 10, .more = {0, 0, 0, 290000}}})), "none");
}

TEST(Ties, NameNeitherOfTwoSlowRanks) {
  const JobRecorder r = job_of({{}, {.compute = 600000}, {.compute = 600000}});
  EXPECT_EQ(named(r), "none");
  EXPECT_EQ(r.value("straggler.share", "", 1), 0.5) << "ties are split";
  EXPECT_EQ(r.value("straggler.share", "", 2), 0.5);
}

TEST(SlowLinks, NameNoStraggler) {
  // Both ranks spend 290 us more in the collective.
  const JobRecorder r = job_of({{.collective_end = 990000}, {.collective_end = 990000}});
  EXPECT_EQ(named(r), "none");
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 0);
  EXPECT_EQ(r.value("straggler.slowdown_ratio"), 1);
  EXPECT_DOUBLE_EQ(*r.value("comm.busbw_bytes_per_s", "bytes=4096;kind=all_reduce"), 4096 / 589000e-9);
}

TEST(Payloads, LeaveWaitingButNoBandwidthIfMissing) {
  const JobRecorder r = job_of({{.source = Source::kNsys}, {.compute = 600000, .source = Source::kNsys}});
  EXPECT_EQ(named(r), "1 cause=compute");
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 200000);
  EXPECT_EQ(r.fact_of("comm.algbw_bytes_per_s", "kind=all_reduce"), nullptr);
  EXPECT_TRUE(contains(*r.skip_of("comm.algbw_bytes_per_s, comm.busbw_bytes_per_s"), "no sizes"));
}

TEST(Groups, MatchOnlyTheirOwnRanks) {
  // Ranks 0 and 1 leave long before ranks 2 and 3 arrive: two groups of two.
  const Shape early{.compute = 300000, .collective_end = 400000, .group_ranks = "0,1"},
      late{.compute = 600000, .collective_end = 700000, .group = "1", .group_ranks = "2,3"};
  const JobRecorder r = job_of({early, early, late, late});
  EXPECT_EQ(r.value("collective.matched_count"), 12);
  for (Row rank = 0; rank < 4; ++rank) EXPECT_EQ(r.value("rank.wait_ns", "", rank), 0) << rank;
  EXPECT_EQ(named(r), "none");
}

TEST(Groups, AreFoundByTheClockOfTheirHost) {
  const auto on_one_host = [](const Shape& s) {
    ReportBuilder b;
    b.property("hostname", "node1");
    build_rank(s, b);
    return analyzed(b.build()).rank_tables;
  };
  const Shape early{.compute = 300000, .collective_end = 400000, .source = Source::kNsys},
      late{.compute = 600000, .collective_end = 780000, .source = Source::kNsys};
  JobBuilder job;
  job.rank(0, 4, on_one_host(early)).rank(1, 4, on_one_host(early));
  job.rank(2, 4, on_one_host(late)).rank(3, 4, on_one_host(late));
  const JobRecorder r = gathered(job.build());
  EXPECT_TRUE(contains_all(*r.issue_of("groups_not_told_apart"), {"one host", "--include-blobs"}));
  EXPECT_EQ(r.fact_of("rank.wait_ns", "", 2), nullptr) << "ranks 2 and 3 do not wait for 0 and 1";
  EXPECT_EQ(named(r), "none");
}

TEST(Graphs, TracedAsAWholeHideCollectives) {
  ReportBuilder b;
  build_rank({.graphs = true}, b);
  const Recorder r = analyzed(b.build());
  EXPECT_TRUE(r.rank_tables.empty());
  EXPECT_TRUE(contains(*r.skip_of("rank.*"), "--cuda-graph-trace=node"));
}

TEST(Jobs, WithARankThatHasNoCollectivesSayThatNothingMatches) {
  const JobRecorder r = job_of({{}, {.sizes = {}}});
  EXPECT_EQ(r.value("collective.matched_count"), 0);
  EXPECT_EQ(named(r), "none");
  EXPECT_EQ(r.fact_of("rank.wait_ns", "", 0), nullptr);
}

TEST(Jobs, NameNoRankIfTheSlowOneIsMissing) {
  // Ranks 0 and 1 of three wait for rank 2, whose report is not there.
  const JobRecorder r = job_of({{}, {}}, 3);
  EXPECT_EQ(named(r), "none");
  EXPECT_TRUE(contains(*r.issue_of("missing_ranks"), "bounds"));
}

TEST(Bases, NameFilesExactly) {
  ReportBuilder b;
  build_rank({.clock = 1795308903215614177}, b);
  EXPECT_EQ(analyzed(b.build()).attribute_of("clock.base_ns"), "1795308903215614177") << "more than a double holds";
}

}  // namespace assay::ranks::ranks_variants_test
