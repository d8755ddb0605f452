#include "plugins/analyzers.hpp"
#include "run_summary_fixture.hpp"
#include "support/test.hpp"

namespace assay::summary::run_summary_host_test {

using under_test::run_summary::analyzed;

using namespace testing;

TEST(RunSummaryLaunches, CountKernelAndGraphLaunchesOfTheWindow) {
  ReportBuilder b;
  b.call(CallKind::kKernelLaunch, 0, 4);
  b.call(CallKind::kGraphLaunch, 10, 20);
  b.call(CallKind::kOther, 30, 90);
  b.call(CallKind::kKernelLaunch, 100, 900, 0, {.in_window = false});
  b.captured(col::kernels).captured(col::graphs);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"launch.count", 2}, {"launch.api_time_mean_ns", 7}}));
}

TEST(RunSummaryLaunches, IntervalsAreTakenPerThread) {
  ReportBuilder b;
  const auto first = b.thread(1), second = b.thread(2);
  for (const int start : {0, 100, 300}) b.call(CallKind::kKernelLaunch, start, start + 1, first);
  for (const int start : {90, 150}) b.call(CallKind::kKernelLaunch, start, start + 1, second);
  EXPECT_EQ(analyzed(b).value("launch.interval_median_ns"), 100) << "of 100, 200 and 60";
}

TEST(RunSummaryLaunches, QueueTimeLeavesOutKernelsThatStartBeforeTheirCallEnds) {
  ReportBuilder b;
  launched_kernel(b, 100, 110, {}, 30);
  launched_kernel(b, 200, 210, {}, 10);
  launched_kernel(b, 300, 310, {}, 0);
  launched_kernel(b, 400, 410, {}, -1);
  b.kernel("unlinked", 500, 510);
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("launch.queued_count"), 3);
  EXPECT_DOUBLE_EQ(*r.value("launch.queue_time_mean_ns"), 40.0 / 3);
}

TEST(RunSummarySync, IsGivenByKindAndZeroWhereNoneHappened) {
  ReportBuilder b;
  b.call(CallKind::kStreamSync, 0, 10);
  b.call(CallKind::kStreamSync, 20, 25);
  b.call(CallKind::kBlockingCopy, 30, 37);
  b.call(CallKind::kCopy, 40, 90);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"sync.count{kind=stream}", 2},
                             {"sync.host_time_ns{kind=stream}", 15},
                             {"sync.count{kind=blocking_copy}", 1},
                             {"sync.host_time_ns{kind=blocking_copy}", 7},
                             {"sync.count{kind=device}", 0},
                             {"sync.count{kind=event}", 0}}));
}

TEST(RunSummaryGaps, AreFromTheLatestEndSoFarAndStrict) {
  ReportBuilder b;
  b.kernel("long", 0, 10'000);
  b.kernel("short", 100, 200);                       // ends before the long one
  b.kernel("a", 11'000, 11'500);                     // 1000 after 10'000: not over 1 us
  b.kernel("b", 12'501, 12'600);                     // 1001
  b.kernel("c", 22'601, 22'700);                     // 10'001
  b.kernel("other", 40'000, 50'000, {.stream = 8});  // first of its stream
  b.kernel("d", 123'000, 123'001);                   // 100'300
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"gap.count{over=1us}", 3},
                             {"gap.count{over=10us}", 2},
                             {"gap.count{over=100us}", 1},
                             {"gap.time_sum_ns", 1000 + 1001 + 10'001 + 100'300},
                             {"gap.max_ns", 100'300}}));
}

TEST(RunSummaryGaps, AStreamIdIsAStreamOfItsDeviceProcessAndContext) {
  ReportBuilder b;
  b.process(1);
  b.process(2);
  b.kernel("a", 0, 10);
  b.kernel("b", 20, 30, {.device = 1});
  b.kernel("c", 40, 50, {.process = 1});
  b.kernel("d", 60, 70, {.context = 2});
  EXPECT_EQ(analyzed(b).value("gap.time_sum_ns"), 0);
  b.absent(col::kernel_context);
  EXPECT_EQ(analyzed(b).value("gap.time_sum_ns"), 50) << "without contexts, d follows a";
}

TEST(RunSummaryGaps, GraphLaunchesAreWorkOfTheStream) {
  ReportBuilder b;
  b.kernel("a", 0, 10);
  b.graph(1, 15, 40);
  b.kernel("b", 45, 50);
  EXPECT_EQ(analyzed(b).value("gap.time_sum_ns"), 5 + 5);
}

TEST(RunSummaryGaps, ForeignWorkIsNotIdleTime) {
  ReportBuilder b;
  b.window("w", {100, 200});
  b.kernel("foreign", 50, 120, {.membership = Membership::kForeign});
  b.kernel("own", 130, 140);
  EXPECT_EQ(analyzed(b).value("gap.time_sum_ns"), 10);
}

// Four kernels of a stream after the first: late launch; early launch; launched early but no gap; late launch, no gap.
TEST(RunSummaryBound, JudgesWhetherTheStreamWaitedForTheHost) {
  ReportBuilder b;
  const auto kernel = [&](std::int64_t call_end, std::int64_t start, std::int64_t end, std::int32_t stream = 7) {
    b.kernel("k", start, end, {.stream = stream, .call = b.call(CallKind::kKernelLaunch, call_end - 2, call_end)});
  };
  kernel(95, 100, 110);            // first of its stream: not counted
  kernel(115, 120, 130);           // the call ended after 110, and there is a gap: bound
  kernel(125, 140, 150);           // a gap, but the call ended before 130: not bound
  kernel(148, 150, 160);           // no gap
  b.kernel("unlinked", 170, 180);  // not counted, but is what the next one follows
  kernel(175, 190, 200);           // the call ended before 180: not bound
  kernel(300, 310, 320, 8);        // first of another stream
  EXPECT_EQ(analyzed(b).value("launch.bound_ratio"), 1.0 / 4);
}

TEST(RunSummaryBound, ThePreviousGraphLaunchCounts) {
  ReportBuilder b;
  b.kernel("k", 0, 100, {.call = b.call(CallKind::kKernelLaunch, 0, 0)});
  b.graph(1, 110, 120, {.call = b.call(CallKind::kGraphLaunch, 105, 106)});
  b.kernel("k", 130, 140, {.call = b.call(CallKind::kKernelLaunch, 115, 118)});  // before the graph ended: not bound
  b.kernel("k", 150, 160, {.call = b.call(CallKind::kKernelLaunch, 144, 145)});  // bound
  EXPECT_EQ(analyzed(b).value("launch.bound_ratio"), 0.5);
}

TEST(RunSummaryBound, OneKernelAStreamJudgesNothing) {
  ReportBuilder b;
  launched_kernel(b, 100, 110);
  const auto r = analyzed(b);
  EXPECT_FALSE(r.value("launch.bound_ratio").has_value());
  EXPECT_TRUE(contains(why_skipped(r, "launch.bound_ratio"), "is 0"));
}

}  // namespace assay::summary::run_summary_host_test
