// Jobs made up in ten lines: who waits for whom, what is named and what is not, what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/testing/report_builder.hpp"
#include "plugin_under_test.hpp"

namespace assay::ranks {
namespace {

using namespace assay::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// One rank of a made-up job; times in ns. A step has compute, then one all-reduce that ends together on all ranks.
struct Shape {
  std::int64_t steps = 6;
  std::int64_t period = 1000000;  ///< between the ranges of steps
  std::int64_t compute = 400000;  ///< before the collective
  std::int64_t stall = 0;         ///< of the host before the step's first work
  std::int64_t collective_end = 700000;
  std::int64_t first_step = 0;
  std::int64_t clock = 1000000000;  ///< origin of the file
  std::int64_t shift = 0;           ///< of its clock: the file's times are that much too late
  std::string master = {};
  std::vector<std::int64_t> sizes = {4096};
  bool sequence = false;
  CollectiveKind kind = CollectiveKind::kAllReduce;
};

/// The rows that one rank hands to the others.
std::vector<RecordedTable> rank_of(const Shape& s) {
  ReportBuilder b;
  b.property("origin_ns", std::to_string(s.clock));
  if (!s.master.empty()) b.property("environment.MASTER_ADDR", s.master).property("environment.MASTER_PORT", "29500");
  std::int64_t number = 0;
  for (std::int64_t i = 0; i < s.steps; ++i) {
    const std::int64_t at = i * s.period + s.shift, begin = at + 1000 + s.stall;
    b.range("step_" + std::to_string(i + s.first_step), at, at + s.period - 1000);
    const Row call = b.call(CallKind::kKernelLaunch, at + 100, at + 200);
    b.kernel("gemm", begin, begin + s.compute, {.call = call});
    std::int64_t start = begin + s.compute;
    const auto parts = static_cast<std::int64_t>(s.sizes.size());
    for (std::int64_t c = 0; c < parts; ++c) {
      const std::int64_t end = at + s.collective_end + (c + 1 - parts) * 1000;
      const Row nccl = b.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", start, end, {.stream = 17, .call = call});
      const std::int64_t bytes = s.sizes[static_cast<std::size_t>(c)];
      b.collective(nccl, s.kind,
                   {.group = "0",
                    .group_ranks = "0,1",
                    .group_size = 2,
                    .sequence = s.sequence ? number++ : kNone,
                    .sent = bytes,
                    .received = bytes});
      start = end;
    }
  }
  return analyzed(b.build()).rank_tables;
}

JobRecorder job_of(const std::vector<Shape>& shapes, std::int64_t world = 0) {
  JobBuilder job;
  for (std::size_t r = 0; r < shapes.size(); ++r)
    job.rank(static_cast<std::int64_t>(r), world > 0 ? world : static_cast<std::int64_t>(shapes.size()),
             rank_of(shapes[r]));
  return gathered(job.build());
}

TEST(Waits, AreWhatARankTakesLongerThanTheLastToArrive) {
  // Rank 0 arrives at 401 us, rank 1 at 601 us; both leave at 700 us.
  const JobRecorder r = job_of({{}, {.compute = 600000}});
  EXPECT_EQ(r.value("collective.matched_count"), 6);
  EXPECT_EQ(r.value("collective.unmatched_count"), 0);
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

TEST(Stragglers, OfAStallingHostAreIdleHostAndNotCompute) {
  // The device of rank 1 gets its work 200 us late, between its step and the one before.
  const JobRecorder r = job_of({{}, {.stall = 200000}});
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 200000);
  EXPECT_EQ(r.value("straggler.excess_ns", "part=between", 1), 200000);
  EXPECT_EQ(r.value("straggler.excess_ns", "part=compute", 1), 0);
  EXPECT_EQ(r.value("straggler.rank", "cause=idle/host"), 1);
}

TEST(Stragglers, AreNoneWhereComingLastCostsNothing) {
  // Rank 1 is last in every collective, by 1 us of 700.
  const JobRecorder r = job_of({{}, {.compute = 401000}});
  EXPECT_EQ(r.value("straggler.last_count", "", 1), 5);
  EXPECT_EQ(r.value("straggler.share", "", 1), 1);
  EXPECT_EQ(r.fact_of("straggler.rank", "cause=compute"), nullptr);
  EXPECT_THAT(*r.skip_of("straggler.rank"), HasSubstr("there is none"));
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
  EXPECT_THAT(*shifted.issue_of("clock_offset"), HasSubstr("rank 1"));
  EXPECT_EQ(shifted.value("rank.skew_ns"), 200000);
}

TEST(Clocks, OfASkewBelowTheirUncertaintyNothingIsResolved) {
  const JobRecorder r = job_of({{}, {.compute = 401000}});
  EXPECT_EQ(r.value("rank.skew_resolved_ratio"), 0);
  EXPECT_THAT(*r.issue_of("skew_not_resolved"), HasSubstr("not resolved"));
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
  EXPECT_THAT(*r.skip_of("rank.skew_ns, critical.rank_share"), HasSubstr("cannot be compared"));
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
  EXPECT_THAT(*r.issue_of("steps_not_in_common"), HasSubstr("step 0"));
}

TEST(Matching, RefusesSequencesThatDifferWithin) {
  const JobRecorder r = job_of({{}, {.sizes = {8192}}});
  EXPECT_EQ(r.value("collective.matched_count"), 0);
  EXPECT_THAT(*r.issue_of("unlike_collectives"), AllOf(HasSubstr("different collectives"), HasSubstr("step 0")));
  EXPECT_EQ(r.fact_of("rank.wait_ns", "", 0), nullptr);
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
  EXPECT_EQ(r.value("collective.matched_count"), 5);
  EXPECT_EQ(r.value("collective.unmatched_count"), 1);
}

TEST(Bandwidth, RestsOnTheTimeWithoutWaiting) {
  const JobRecorder r = job_of({{}, {.compute = 600000}});
  EXPECT_DOUBLE_EQ(*r.value("comm.algbw_bytes_per_s", "bytes=4096;kind=all_reduce"), 4096 / 99000e-9);
  EXPECT_DOUBLE_EQ(*r.value("comm.busbw_bytes_per_s", "bytes=4096;kind=all_reduce"), 4096 / 99000e-9)
      << "the factor of two ranks is 1";
}

TEST(Bandwidth, OfMessagesDoesNotWait) {
  const JobRecorder r = job_of({{.kind = CollectiveKind::kSend}, {.compute = 600000, .kind = CollectiveKind::kSend}});
  EXPECT_EQ(r.value("rank.wait_ns", "", 0), 0) << "a message does not synchronise all ranks";
}

TEST(Jobs, SayWhoIsMissing) {
  const JobRecorder one = job_of({{}}, 4);
  EXPECT_THAT(*one.issue_of("missing_ranks"), HasSubstr("1 of 4 ranks"));
  EXPECT_THAT(*one.skip_of("rank.*, straggler.*"), HasSubstr("needs the others"));
  const JobRecorder two = job_of({{}, {.compute = 600000}}, 4);
  EXPECT_THAT(*two.issue_of("missing_ranks"), HasSubstr("bounds"));
  EXPECT_EQ(two.value("rank.wait_ns", "", 0), 200000);
}

TEST(Jobs, OfTwoRanksOfOneNumberOrTwoAddressesAreRefused) {
  JobBuilder twice;
  twice.rank(1, 2, rank_of({}), "a.sqlite").rank(1, 2, rank_of({}), "b.sqlite");
  EXPECT_THAT(*gathered(twice.build()).issue_of("not_one_job"), HasSubstr("rank 1 is there twice"));
  EXPECT_THAT(*job_of({{.master = "a"}, {.master = "b"}}).issue_of("not_one_job"), HasSubstr("different addresses"));
  JobBuilder foreign;
  foreign.rank(0, 2, rank_of({})).rank(7, 2, rank_of({}));
  EXPECT_THAT(*gathered(foreign.build()).issue_of("not_one_job"), HasSubstr("rank 7 is none of a job of 2"));
}

/// A job of `ranks`, each in three groups (data: all ranks, tensor: its node of 8, pipeline: its pair),
/// made as rows at once: `collectives` a step in each, clocks that are shifted and drift, a rank that begins a step
/// later and one that ends earlier. Rank `slow` computes 100 us longer in every step.
JobBuilder large_job(std::int64_t ranks, std::int64_t collectives, std::int64_t steps, std::int64_t slow,
                     std::int64_t missing) {
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
      // The rank's clock: shifted by its number, and 1 ppm for every rank of a node fast.
      const auto own = [&](std::int64_t time) { return time + r * 777 + time * (r % kNode) / 1000000; };
      const std::int64_t at = s * kPeriod;
      number.push_back(s), host.push_back(own(at)), start.push_back(own(at));
      std::int64_t ready = at + (r == slow ? kLate : 0), released = at + kLate;
      for (std::int64_t c = 0; c < collectives; ++c) {
        for (std::int64_t g = 0; g < 3; ++g) {
          step.push_back(s - first), group.push_back(g);
          kind.push_back(static_cast<std::int64_t>(CollectiveKind::kAllReduce));
          sequence.push_back(kNone), size.push_back(1024), bare.push_back(static_cast<std::int64_t>(bare_start.size()));
          begin.push_back(own(ready)), finish.push_back(own(released + kTransfer));
          bare_start.push_back(begin.back()), bare_end.push_back(finish.back());
          ready = released = released + kTransfer;
        }
      }
      end.push_back(own(released)), none.push_back(0);
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
  EXPECT_THAT(*r.issue_of("missing_ranks"), HasSubstr("63 of 64 ranks"));
  EXPECT_EQ(r.value("job.step_count"), 3) << "steps 1 to 4 are in all, and the first of them is left out";
  // The data group, 8 tensor groups, 32 pipeline groups; 4 collectives in each of 4 steps.
  EXPECT_EQ(r.value("collective.matched_count"), (1 + 8 + 32) * 4 * 4);
  EXPECT_EQ(r.issue_of("unlike_collectives"), std::nullopt);
  EXPECT_EQ(r.value("straggler.rank", "cause=compute"), kSlow);
  EXPECT_NEAR(*r.value("rank.wait_exposed_ns", "", 13), 100000, 10);
  EXPECT_NEAR(*r.value("rank.wait_exposed_ns", "", kSlow), 0, 10);
}

}  // namespace
}  // namespace assay::ranks
