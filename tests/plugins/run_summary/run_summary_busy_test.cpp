#include <random>

#include "plugins/analyzers.hpp"
#include "plugins/run_summary/device.hpp"
#include "run_summary_fixture.hpp"
#include "support/test.hpp"

namespace assay::summary::run_summary_busy_test {

using under_test::run_summary::analyzed;

using namespace testing;

// Window 0..100 on one device: kernels 10..30 and 20..40 overlap, a copy 35..55, a set 60..70.
void one_device(ReportBuilder& b) {
  b.window("w", {0, 100});
  launched_kernel(b, 10, 30);
  launched_kernel(b, 20, 40, {.stream = 8});
  b.copy(CopyDirection::kHostToDevice, 2000, 35, 55, {.stream = 9});
  b.set(64, 60, 70);
}

TEST(RunSummaryBusy, CountsOverlappingTimeOnce) {
  ReportBuilder b;
  one_device(b);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"window.duration_ns", 100},
                             {"kernel.count", 2},
                             {"kernel.time_sum_ns", 40},
                             {"kernel.time_mean_ns", 20},
                             {"gpu.kernel_busy_ratio", 0.30},
                             {"gpu.busy_ratio", 0.55},
                             {"gpu.idle_ns", 45},
                             {"gpu.overlap_ratio", 5.0 / 20},
                             {"gpu.foreign_busy_ns", 0}}));
}

TEST(RunSummaryBusy, MedianOfAnEvenNumberIsBetweenTheMiddleTwo) {
  ReportBuilder b;
  for (const int length : {40, 10, 20, 70}) launched_kernel(b, length * 100, length * 100 + length);
  EXPECT_EQ(analyzed(b).value("kernel.time_median_ns"), 30);
}

TEST(RunSummaryBusy, MeansAreOverDevicesThatRanAny) {
  ReportBuilder b;
  one_device(b);
  launched_kernel(b, 0, 90, {.device = 3});
  b.copy(CopyDirection::kHostToDevice, 10, 0, 20, {.device = 5});  // no kernel here
  const auto r = analyzed(b);
  EXPECT_DOUBLE_EQ(*r.value("gpu.kernel_busy_ratio"), (0.30 + 0.90) / 2);
  EXPECT_DOUBLE_EQ(*r.value("gpu.busy_ratio"), (0.55 + 0.90 + 0.20) / 3);
  EXPECT_DOUBLE_EQ(*r.value("gpu.idle_ns"), (45 + 10 + 80) / 3.0);
  EXPECT_DOUBLE_EQ(*r.value("gpu.overlap_ratio"), 5.0 / 40) << "a copy overlaps kernels of its own device only";
}

TEST(RunSummaryBusy, ForeignWorkIsNeitherTheWindowsNorIdle) {
  ReportBuilder b;
  b.window("w", {100, 200});
  launched_kernel(b, 150, 160);
  b.kernel("before", 50, 120, {.membership = Membership::kForeign});
  b.kernel("after", 300, 400, {.membership = Membership::kOutside});
  const auto r = analyzed(b);
  EXPECT_TRUE(
      has_values(r, {{"kernel.count", 1}, {"gpu.foreign_busy_ns", 20}, {"gpu.idle_ns", 70}, {"gpu.busy_ratio", 0.1}}));
}

TEST(RunSummaryBusy, RowsAreClippedToTheWindowNotDropped) {
  ReportBuilder b;
  b.window("w", {0, 100});
  b.kernel("unlinked", 90, 150);
  b.copy(CopyDirection::kDeviceToHost, 1000, 95, 115);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(
      r, {{"kernel.time_sum_ns", 10}, {"gpu.kernel_busy_ratio", 0.1}, {"copy.time_sum_ns{direction=d2h}", 5}}));
  EXPECT_EQ(r.value("copy.bandwidth_bytes_per_s", "direction=d2h"), 1000 * 1e9 / 20) << "bytes cannot be clipped";
}

TEST(RunSummaryBusy, GraphLaunchesAreKernelTimeAndOpaque) {
  ReportBuilder b;
  b.window("w", {0, 100});
  const Row graph_call = b.call(CallKind::kGraphLaunch, 0, 2);
  b.graph(1, 10, 40, {.call = graph_call});
  launched_kernel(b, 50, 60);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"gpu.kernel_busy_ratio", 0.4},
                             {"graph.launch_count", 1},
                             {"graph.time_sum_ns", 30},
                             {"graph.opaque_ratio", 0.75},
                             {"kernel.count", 1}}));
  EXPECT_TRUE(contains(why_skipped(r, "launch.bound_ratio"), "above 0.5"));
  EXPECT_FALSE(r.attribute_of("fingerprint").has_value());
  EXPECT_TRUE(contains(why_skipped(r, "fingerprint"), "graph launches hide"));
}

TEST(RunSummaryBusy, AGraphTracedByNodeIsNotOpaque) {
  ReportBuilder b;
  const Row call = b.call(CallKind::kGraphLaunch, 0, 2);
  b.graph(1, 10, 40, {.call = call});
  b.kernel("node", 12, 30, {.call = call, .graph_node = 4});
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("graph.opaque_ratio"), 0);
  EXPECT_TRUE(r.attribute_of("fingerprint").has_value());
}

TEST(RunSummaryBusy, AWindowOfNoLengthGivesNoRatio) {
  ReportBuilder b;
  b.window("w", {50, 50});
  b.kernel("k", 50, 50);
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("kernel.count"), 1);
  EXPECT_FALSE(r.value("gpu.busy_ratio").has_value());
  EXPECT_TRUE(contains(why_skipped(r, "gpu.busy_ratio"), "window.duration_ns is 0"));
}

/// Nanosecond by nanosecond, what runs where.
TEST(RunSummaryBusy, AgreesWithCountingNanoseconds) {
  std::mt19937 random(7);
  const auto draw = [&](int below) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(below)); };
  for (int round = 0; round < 200; ++round) {
    constexpr int kWindow = 60;
    ReportBuilder b;
    b.window("w", {0, kWindow});
    bool kernel[2][kWindow] = {}, copy[2][kWindow] = {}, own[2][kWindow] = {}, all[2][kWindow] = {};
    const auto fill = [&](bool(&line)[kWindow], std::int64_t from, std::int64_t to) {
      for (std::int64_t t = std::max<std::int64_t>(from, 0); t < std::min<std::int64_t>(to, kWindow); ++t)
        line[t] = true;
    };
    for (int i = 0; i < 12; ++i) {
      const std::int64_t kind = draw(4), device = draw(2), start = draw(kWindow + 10) - 5, end = start + draw(15);
      const auto member = draw(4) == 0 ? Membership::kForeign : Membership::kInside;
      const testing::WorkOptions options{.device = static_cast<std::int32_t>(device), .membership = member};
      if (kind == 0) b.kernel("k", start, end, {.device = options.device, .membership = member});
      if (kind == 1) b.graph(1, start, end, options);
      if (kind == 2) b.copy(CopyDirection::kHostToDevice, 1, start, end, options);
      if (kind == 3) b.set(1, start, end, options);
      fill(all[device], start, end);
      if (member == Membership::kForeign) continue;
      fill(own[device], start, end);
      if (kind <= 1) fill(kernel[device], start, end);
      if (kind == 2) fill(copy[device], start, end);
    }
    const GpuWork work = gpu_work_of(b.build());
    const std::vector<std::uint8_t> opaque(work.graphs().rows, 1);
    for (const DeviceBusy& d : busy_by_device(work, opaque, {0, kWindow})) {
      const auto lines = static_cast<std::size_t>(d.device);
      std::int64_t kernels = 0, copies = 0, both = 0, owns = 0, alls = 0;
      for (int t = 0; t < kWindow; ++t) {
        kernels += kernel[lines][t] ? 1 : 0;
        copies += copy[lines][t] ? 1 : 0;
        both += kernel[lines][t] && copy[lines][t] ? 1 : 0;
        owns += own[lines][t] ? 1 : 0;
        alls += all[lines][t] ? 1 : 0;
      }
      ASSERT_EQ(d.kernels, kernels) << "round " << round;
      ASSERT_EQ(d.copies, copies) << "round " << round;
      ASSERT_EQ(d.overlap(), both) << "round " << round;
      ASSERT_EQ(d.own, owns) << "round " << round;
      ASSERT_EQ(d.all, alls) << "round " << round;
    }
  }
}

TEST(RunSummaryCopies, AreGivenByDirection) {
  ReportBuilder b;
  b.copy(CopyDirection::kHostToDevice, 100, 0, 10);
  b.copy(CopyDirection::kHostToDevice, 300, 20, 30);
  b.copy(CopyDirection::kHostToDevice, 800, 40, 60);
  b.copy(CopyDirection::kDeviceToHost, 5, 70, 70);
  const auto r = analyzed(b);
  EXPECT_TRUE(has_values(r, {{"copy.count{direction=h2d}", 3},
                             {"copy.bytes{direction=h2d}", 1200},
                             {"copy.time_sum_ns{direction=h2d}", 40},
                             {"copy.bandwidth_bytes_per_s{direction=h2d}", 30e9},
                             {"copy.bytes_per_op_median{direction=h2d}", 300},
                             {"copy.bytes{direction=d2h}", 5}}));
  EXPECT_FALSE(r.value("copy.bandwidth_bytes_per_s", "direction=d2h").has_value()) << "no time, no bandwidth";
  EXPECT_FALSE(r.value("copy.count", "direction=d2d").has_value());
}

/// Processes 11 and 12 on a device each, 13 without GPU work; the second waits 20 ns in a collective.
TEST(RunSummaryBusy, IsGivenByProcessAndDevice) {
  ReportBuilder b;
  for (const std::int64_t id : {11, 12, 13}) b.thread(id, b.process(id));
  b.window("w", {0, 100}).captured(col::collectives);
  b.kernel("a", 10, 40, {.device = 0, .process = 0});
  b.kernel("a", 30, 50, {.device = 0, .stream = 8, .process = 0});
  b.kernel("a", 10, 25, {.device = 1, .process = 1});
  b.collective(b.kernel("nccl", 25, 45, {.device = 1, .process = 1}), CollectiveKind::kAllReduce);
  b.range("load", 0, 90, {.thread = 2});
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("gpu.part_busy_ns", "device=0;process=11"), 40);
  EXPECT_EQ(r.value("gpu.part_work_ns", "device=0;process=11"), 40);
  EXPECT_EQ(r.value("gpu.part_busy_ns", "device=1;process=12"), 35);
  EXPECT_EQ(r.value("gpu.part_work_ns", "device=1;process=12"), 15);
  EXPECT_EQ(r.value("gpu.part_kernel_count", "device=1;process=12"), 2);
  EXPECT_EQ(r.attribute_of("idle_processes"), "13");
}

TEST(RunSummaryBusy, OfOneProcessAndDeviceHasNoParts) {
  ReportBuilder b;
  one_device(b);
  EXPECT_FALSE(analyzed(b).value("gpu.part_busy_ns", "device=0;process=1"));
}

}  // namespace assay::summary::run_summary_busy_test
