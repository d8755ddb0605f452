// A table that is missing, one that is empty, and a column that is missing are three different things.
#include "plugins/analyzers.hpp"
#include "run_summary_fixture.hpp"
#include "support/test.hpp"

namespace assay::summary::run_summary_missing_test {

using under_test::run_summary::analyzed;

using namespace testing;

TEST(RunSummaryMissing, LaunchesWithoutKernelTableAreNotZeroGpuTime) {
  ReportBuilder b;
  b.call(CallKind::kKernelLaunch, 0, 2);
  b.call(CallKind::kKernelLaunch, 10, 12);
  b.call(CallKind::kDeviceSync, 20, 30);
  const auto r = analyzed(b);
  for (const char* metric :
       {"kernel.count", "kernel.time_sum_ns", "gpu.kernel_busy_ratio", "gpu.idle_ns", "gap.time_sum_ns"}) {
    EXPECT_FALSE(r.value(metric).has_value()) << metric;
  }
  EXPECT_TRUE(contains(why_skipped(r, "kernel.*"), "2 kernel or graph launch calls"));
  EXPECT_TRUE(contains(why_skipped(r, "gpu.*"), "no kernel table"));
  EXPECT_EQ(r.value("launch.count"), 2) << "what the calls tell is told";
  EXPECT_TRUE(has_values(r, {{"sync.host_time_ns{kind=device}", 10}, {"window.duration_ns", 30}}));
}

TEST(RunSummaryMissing, AnEmptyKernelTableIsZeroKernels) {
  ReportBuilder b;
  b.call(CallKind::kOther, 0, 100);
  b.captured(col::kernels);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"kernel.count", 0}, {"kernel.time_sum_ns", 0}}));
  EXPECT_TRUE(contains(why_skipped(r, "kernel.time_mean_ns"), "kernel.count is 0"));
  EXPECT_TRUE(contains(why_skipped(r, "gpu.kernel_busy_ratio"), "no device"));
}

TEST(RunSummaryMissing, NoKernelTableAndNoLaunchIsZeroKernels) {
  ReportBuilder b;
  b.call(CallKind::kOther, 0, 100);
  EXPECT_EQ(analyzed(b).value("kernel.count"), 0);
}

TEST(RunSummaryMissing, GraphsWithoutKernelTableStillGiveGpuTime) {
  ReportBuilder b;
  b.window("w", {0, 100});
  b.graph(1, 10, 60, {.call = b.call(CallKind::kGraphLaunch, 0, 2)});
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"gpu.kernel_busy_ratio", 0.5}, {"graph.opaque_ratio", 1}}));
  EXPECT_FALSE(r.value("kernel.count").has_value());
}

TEST(RunSummaryMissing, GraphLaunchesThatLeftNoTraceMakeGpuTimeUnknown) {
  ReportBuilder b;
  launched_kernel(b, 100, 110);
  b.call(CallKind::kGraphLaunch, 200, 210);
  const auto r = analyzed(b);
  EXPECT_FALSE(r.value("graph.opaque_ratio").has_value());
  EXPECT_FALSE(r.value("gpu.busy_ratio").has_value());
  EXPECT_FALSE(r.attribute_of("fingerprint").has_value());
  EXPECT_TRUE(contains(why_skipped(r, "graph.opaque_ratio"), "no graph trace table"));
  EXPECT_EQ(r.value("kernel.count"), 1);
}

TEST(RunSummaryMissing, NodesTracedByKernelsNeedNoGraphTable) {
  ReportBuilder b;
  const Row call = b.call(CallKind::kGraphLaunch, 0, 2);
  b.kernel("node", 10, 20, {.call = call, .graph_node = 1});
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("graph.opaque_ratio"), 0);
  EXPECT_FALSE(r.value("graph.launch_count").has_value());
  EXPECT_TRUE(has_values(r, {{"graph.node_launch_count", 1}, {"graph.node_graph_count", 1}}));
  EXPECT_FALSE(r.skip_of("graph.launch_count, graph.time_sum_ns").has_value());
  EXPECT_TRUE(r.value("gpu.busy_ratio").has_value());
  EXPECT_TRUE(r.attribute_of("fingerprint").has_value());
}

TEST(RunSummaryMissing, KernelsWithoutCallsGiveWhatKernelsTell) {
  ReportBuilder b;
  b.window("w", {0, 100});
  b.kernel("a", 0, 10);
  b.kernel("b", 20, 30);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"gpu.kernel_busy_ratio", 0.2}, {"gap.time_sum_ns", 10}}));
  EXPECT_FALSE(r.value("launch.count").has_value());
  EXPECT_FALSE(r.value("launch.bound_ratio").has_value());
  EXPECT_FALSE(r.value("graph.opaque_ratio").has_value());
  EXPECT_FALSE(r.attribute_of("fingerprint").has_value());
}

TEST(RunSummaryMissing, CopyCallsWithoutCopyTableAreSaid) {
  ReportBuilder b;
  launched_kernel(b, 100, 110);
  b.call(CallKind::kCopy, 200, 210);
  EXPECT_TRUE(contains(why_skipped(analyzed(b), "copy.*"), "1 copy call but"));
}

TEST(RunSummaryMissing, NoCopiesAndNoCopyCallsIsSilent) {
  ReportBuilder b;
  launched_kernel(b, 100, 110);
  EXPECT_EQ(why_skipped(analyzed(b), "copy.*"), "");
}

TEST(RunSummaryMissing, ACopyTableWithoutRowsIsNoCopy) {
  ReportBuilder b;
  launched_kernel(b, 100, 110);
  EXPECT_FALSE(analyzed(b).value("copy.count").has_value()) << "no table: nobody knows";
  b.copy(CopyDirection::kHostToDevice, 8, 1000, 1010, {.membership = Membership::kOutside});
  EXPECT_EQ(analyzed(b).value("copy.count"), 0) << "none of the window";
}

TEST(RunSummaryMissing, AReportOfNothingFailsNowhere) {
  ReportBuilder b;
  const auto r = analyzed(b);
  EXPECT_TRUE(r.facts.empty()) << "not even a window of 0 ns is known";
  EXPECT_NE(why_skipped(r, "kernel.*"), "");
  EXPECT_NE(why_skipped(r, "launch.*"), "");
}

TEST(RunSummaryMissing, CopiesWithoutSizesGiveCountsAndTimes) {
  ReportBuilder b;
  b.copy(CopyDirection::kHostToDevice, 100, 0, 10);
  b.absent(col::copy_bytes);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"copy.count{direction=h2d}", 1}, {"copy.time_sum_ns{direction=h2d}", 10}}));
  EXPECT_FALSE(r.value("copy.bytes", "direction=h2d").has_value());
  EXPECT_TRUE(contains(why_skipped(r, "copy.bytes"), "h2d"));
}

}  // namespace assay::summary::run_summary_missing_test
