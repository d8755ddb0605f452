#include "plugins/analyzers.hpp"
#include "run_summary_fixture.hpp"
#include "support/test.hpp"

namespace assay::summary::run_summary_iterations_test {

using under_test::run_summary::analyzed;

using namespace testing;

std::vector<double> samples(const Recorder& r, std::string_view metric) {
  const auto* fact = r.fact_of(metric);
  return fact != nullptr ? fact->samples : std::vector<double>{};
}

void launch(ReportBuilder& b, std::int64_t call, std::int64_t start, std::int64_t end, std::uint32_t thread = 0) {
  b.kernel("k", start, end, {.call = b.call(CallKind::kKernelLaunch, call, call + 2, thread)});
}

TEST(RunSummaryIterations, CostIsTheWorkLaunchedInside) {
  ReportBuilder b;
  b.iteration(0, 0, 100);
  b.iteration(1, 200, 330);
  b.iteration(2, 400, 500);
  launch(b, 10, 50, 90);
  launch(b, 20, 80, 150);  // runs past the end of the range
  b.copy(CopyDirection::kDeviceToHost, 8, 160, 170, {.call = b.call(CallKind::kCopy, 30, 31)});
  launch(b, 99, 300, 310);  // the call ends outside: of no iteration
  launch(b, 210, 250, 280);
  b.set(8, 300, 320, {.call = b.call(CallKind::kSet, 220, 221)});
  b.call(CallKind::kStreamSync, 300, 320);
  b.call(CallKind::kDeviceSync, 340, 390);  // between iterations
  launch(b, 410, 420, 470);
  b.kernel("unlinked", 430, 480);
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("iteration.count"), 3);
  EXPECT_TRUE(equals(samples(r, "iteration.host_ns"), {100, 130, 100}));
  EXPECT_TRUE(equals(samples(r, "iteration.kernel_count"), {2, 1, 1}));
  EXPECT_TRUE(equals(samples(r, "iteration.gpu_span_ns"), {120, 70, 50}));
  EXPECT_TRUE(equals(samples(r, "iteration.gpu_busy_ns"), {110, 50, 50}));
  EXPECT_TRUE(equals(samples(r, "iteration.sync_ns"), {0, 20, 0}));
  EXPECT_TRUE(equals(samples(r, "iteration.period_ns"), {150, 150}));
  EXPECT_TRUE(has_values(r, {{"iteration.gpu_span_ns", 70}, {"iteration.period_ns", 150}}));
}

TEST(RunSummaryIterations, OtherThreadsOfTheProcessCountAndAreSaid) {
  ReportBuilder b;
  const auto first = b.process(1), second = b.process(2);
  const auto main = b.thread(1, first), autograd = b.thread(2, first), stranger = b.thread(3, second);
  b.iteration(0, 0, 100, main);
  launch(b, 10, 20, 30, main);
  launch(b, 11, 30, 40, autograd);
  launch(b, 12, 40, 50, autograd);
  launch(b, 13, 50, 60, stranger);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"iteration.kernel_count", 3}, {"iteration.other_thread_kernels", 2}}));
}

TEST(RunSummaryIterations, OverlappingOnesKeepToTheirOwnThread) {
  ReportBuilder b;
  const auto first = b.thread(1), second = b.thread(2);
  b.iteration(0, 0, 100, first);
  b.iteration(1, 50, 150, second);
  launch(b, 60, 70, 75, first);
  launch(b, 62, 80, 85, second);
  launch(b, 64, 90, 95, second);
  const auto r = analyzed(b);
  EXPECT_TRUE(equals(samples(r, "iteration.kernel_count"), {1, 2}));
  EXPECT_TRUE(equals(samples(r, "iteration.other_thread_kernels"), {0, 0}));
  ASSERT_EQ(r.issues.size(), 1U);
  EXPECT_EQ(r.issues[0].name, "iterations_overlap");
  EXPECT_EQ(r.issues[0].count, 2);
}

TEST(RunSummaryIterations, OnesOutsideANamedWindowAreLeftOutAndSaid) {
  ReportBuilder b;
  b.window("w", {100, 400}, Interval{100, 390});
  b.iteration(0, 0, 90);
  b.iteration(1, 110, 200);
  b.iteration(2, 210, 300);
  b.iteration(3, 350, 395);
  launch(b, 120, 130, 140);
  launch(b, 220, 230, 240);
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("iteration.count"), 2);
  EXPECT_TRUE(equals(samples(r, "iteration.host_ns"), {90, 90}));
  ASSERT_EQ(r.issues.size(), 1U);
  EXPECT_EQ(r.issues[0].name, "iterations_outside_window");
  EXPECT_EQ(r.issues[0].count, 2);
}

TEST(RunSummaryIterations, OneWithoutWorkHasNoSpanAndBreaksThePeriod) {
  ReportBuilder b;
  for (int i = 0; i < 4; ++i) b.iteration(i, i * 100, i * 100 + 90);
  launch(b, 10, 20, 30);
  launch(b, 210, 220, 230);
  launch(b, 310, 320, 331);
  const auto r = analyzed(b);
  EXPECT_TRUE(equals(samples(r, "iteration.kernel_count"), {1, 0, 1, 1}));
  EXPECT_TRUE(equals(samples(r, "iteration.gpu_busy_ns"), {10, 0, 10, 11}));
  EXPECT_TRUE(equals(samples(r, "iteration.gpu_span_ns"), {10, 10, 11}));
  EXPECT_TRUE(equals(samples(r, "iteration.period_ns"), {101}));
}

TEST(RunSummaryIterations, OneAloneHasNoPeriod) {
  ReportBuilder b;
  b.iteration(0, 0, 90);
  launch(b, 10, 20, 30);
  const auto r = analyzed(b);
  EXPECT_FALSE(r.value("iteration.period_ns").has_value());
  EXPECT_TRUE(contains(why_skipped(r, "iteration.period_ns"), "successive"));
}

TEST(RunSummaryIterations, GraphLaunchesAreTheirWork) {
  ReportBuilder b;
  b.iteration(0, 0, 90);
  b.iteration(1, 100, 190);
  b.graph(1, 20, 80, {.call = b.call(CallKind::kGraphLaunch, 10, 12)});
  b.graph(1, 120, 190, {.call = b.call(CallKind::kGraphLaunch, 110, 112)});
  const auto r = analyzed(b);
  EXPECT_TRUE(equals(samples(r, "iteration.gpu_busy_ns"), {60, 70}));
  EXPECT_TRUE(equals(samples(r, "iteration.period_ns"), {110}));
  EXPECT_FALSE(r.value("iteration.kernel_count").has_value()) << "the kernels inside were not traced";
}

}  // namespace assay::summary::run_summary_iterations_test
