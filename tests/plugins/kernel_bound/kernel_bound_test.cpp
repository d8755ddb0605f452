#include "assay/algo/speed_of_light.hpp"
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::kernel_bound_test {

using namespace under_test::kernel_bound;
using namespace testing;

constexpr const char* kSm = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kMemory = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kDram = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* kDuration = "gpu__time_duration.sum";

/// A measured launch with throughputs in %; below 0: not measured.
Row measured(ReportBuilder& b, const std::string& name, double sm, double memory, double dram = -1, double ns = -1) {
  const Row row = b.profiled(name);
  if (sm >= 0) b.counter(row, kSm, sm, {.unit = "%"});
  if (memory >= 0) b.counter(row, kMemory, memory, {.unit = "%"});
  if (dram >= 0) b.counter(row, kDram, dram, {.unit = "%"});
  if (ns >= 0) b.counter(row, kDuration, ns, {.unit = "ns"});
  return row;
}

Bound bound(std::optional<double> compute, std::optional<double> memory, std::optional<double> dram = {}) {
  SpeedOfLight speed;
  speed.launches = 1;
  speed.compute = compute;
  speed.memory = memory;
  speed.dram = dram;
  return bound_of(speed, 0.6);
}

TEST(SpeedOfLight, BoundIsTheRuleOfNsightCompute) {
  EXPECT_EQ(bound(0.7, 0.3), Bound::kCompute);
  EXPECT_EQ(bound(0.3, 0.7), Bound::kMemory);
  EXPECT_EQ(bound(0.59, 0.59), Bound::kLatency);
  EXPECT_EQ(bound(0.6, 0.1), Bound::kCompute) << "the threshold itself is not below it";
  EXPECT_EQ(bound(0.8, 0.8), Bound::kCompute) << "of equals compute";
  EXPECT_EQ(bound({}, 0.9), Bound::kUnknown);
  EXPECT_EQ(bound(0.9, {}), Bound::kUnknown) << "memory may be busier";
  EXPECT_EQ(bound(0.1, {}, 0.2), Bound::kUnknown) << "L2 may be busy";
  EXPECT_EQ(bound(0.1, {}, 0.7), Bound::kMemory) << "DRAM is a part of memory";
}

TEST(SpeedOfLight, TextNamesTheGreatestFirst) {
  BoundTimes times;
  times.add(Bound::kLatency, 30);
  times.add(Bound::kMemory, 50);
  times.add(Bound::kUnknown, 20);
  EXPECT_EQ(times.text(), "memory 50.0 %, latency 30.0 %, not known 20.0 %");
  EXPECT_EQ(BoundTimes().text(), "");
}

TEST(KernelBound, JoinedCountersAreWeightedByTheTimeOfTheRun) {
  ReportBuilder b;
  const Row gemm = measured(b, "gemm", 80, 40), norm = measured(b, "norm", 10, 90, 85),
            tiny = measured(b, "tiny", 5, 5);
  b.kernel("gemm", 0, 600, {.profiled = gemm});
  b.kernel("norm", 600, 800, {.profiled = norm});
  b.kernel("norm", 800, 900, {.profiled = norm});
  b.kernel("tiny", 900, 940, {.profiled = tiny});
  b.kernel("other", 940, 1000);
  b.kernel("gemm", 2000, 9000, {.membership = Membership::kOutside, .profiled = gemm});
  const Recorder r = analyzed(b.build(), {{"rules", std::vector<std::string>{"matmul: gemm", "norm: norm"}}});
  EXPECT_DOUBLE_EQ(*r.value("kernel.bound_time_ratio", "bound=compute"), 0.6);
  EXPECT_DOUBLE_EQ(*r.value("kernel.bound_time_ratio", "bound=memory"), 0.3);
  EXPECT_DOUBLE_EQ(*r.value("kernel.bound_time_ratio", "bound=latency"), 0.04);
  EXPECT_DOUBLE_EQ(*r.value("kernel.bound_time_ratio", "bound=unknown"), 0.06);
  EXPECT_DOUBLE_EQ(*r.value("kernel.profiled_time_ratio"), 0.94);
  EXPECT_DOUBLE_EQ(*r.value("kernel_class.bound_time_ratio", "bound=memory;class=norm"), 1);
  EXPECT_DOUBLE_EQ(*r.value("kernel_class.bound_time_ratio", "bound=latency;class=unknown"), 0.4);
  EXPECT_DOUBLE_EQ(*r.value("ncu.dram_throughput_ratio", "class=norm"), 0.85);
  EXPECT_DOUBLE_EQ(*r.value("ncu.sm_throughput_ratio", "kernel=gemm"), 0.8);
  EXPECT_FALSE(r.value("ncu.occupancy_ratio", "kernel=gemm")) << "not measured is not 0";
  EXPECT_EQ(r.value("ncu.profiled_count"), 3);
}

TEST(KernelBound, EachLaunchIsJudgedAndCountsByItsDuration) {
  ReportBuilder b;
  const Row first = measured(b, "k", 50, 10, -1, 100);
  measured(b, "k", 90, 20, -1, 300);
  b.kernel("k", 0, 10, {.profiled = first});
  const Recorder r = analyzed(b.build());
  EXPECT_DOUBLE_EQ(*r.value("ncu.sm_throughput_ratio", "kernel=k"), 0.8);
  EXPECT_DOUBLE_EQ(*r.value("ncu.duration_ns", "kernel=k"), 200);
  EXPECT_DOUBLE_EQ(*r.value("kernel.bound_time_ratio", "bound=compute"), 0.75);
  EXPECT_DOUBLE_EQ(*r.value("kernel.bound_time_ratio", "bound=latency"), 0.25);
  EXPECT_EQ(r.table_of("kernel_bounds")->column("Bound by")->texts.at(0), "compute 75 %, latency 25 %");
}

// A persistent kernel: one grid, launches of unlike work. Means of the launches would say 59 % and latency.
TEST(KernelBound, APersistentKernelIsAsBusyAsItsTime) {
  ReportBuilder b;
  measured(b, "gemm", 90, 70, -1, 200'000);
  measured(b, "gemm", 28, 46, -1, 20'000);
  const Recorder r = analyzed(b.build());
  EXPECT_NEAR(*r.value("ncu.sm_throughput_ratio", "kernel=gemm"), (200 * 0.90 + 20 * 0.28) / 220, 1e-12);
  EXPECT_NEAR(*r.value("ncu.memory_throughput_ratio"), (200 * 0.70 + 20 * 0.46) / 220, 1e-12);
  EXPECT_NEAR(*r.value("kernel.bound_time_ratio", "bound=compute"), 200.0 / 220, 1e-12);
  EXPECT_NEAR(*r.value("kernel.bound_time_ratio", "bound=latency"), 20.0 / 220, 1e-12);
}

TEST(KernelBound, ACsvAloneIsWeightedByItsDurations) {
  ReportBuilder b;
  measured(b, "gemm", 80, 40, -1, 300);
  measured(b, "norm", 10, 90, -1, 100);
  measured(b, "untimed", 10, 90);
  const Recorder r = analyzed(b.build());
  EXPECT_DOUBLE_EQ(*r.value("kernel.bound_time_ratio", "bound=compute"), 0.75);
  EXPECT_DOUBLE_EQ(*r.value("kernel.bound_time_ratio", "bound=memory"), 0.25);
  EXPECT_FALSE(r.value("kernel.profiled_time_ratio"));
  EXPECT_TRUE(r.skip_of("kernel.profiled_time_ratio"));
  ASSERT_EQ(r.issues.size(), 1U);
  EXPECT_EQ(r.issues[0].name, "untimed_counters");
}

TEST(KernelBound, WithoutAnyDurationNothingIsWeighed) {
  ReportBuilder b;
  measured(b, "gemm", 80, 40);
  const Recorder r = analyzed(b.build());
  EXPECT_FALSE(r.value("kernel.bound_time_ratio", "bound=compute"));
  ASSERT_FALSE(r.skips.empty());
  EXPECT_TRUE(contains(r.skips[0].reason, "no duration was measured"));
}

TEST(KernelBound, PreferredNameAndUnitDecide) {
  ReportBuilder b;
  const Row k = b.profiled("k");
  b.counter(k, "Memory Throughput", 3e11, {.unit = "byte/s", .section = "Memory Workload Analysis"});
  b.counter(k, "Memory Throughput", 70, {.unit = "%", .section = "GPU Speed Of Light Throughput"});
  b.counter(k, "Compute (SM) Throughput", 20, {.unit = "%"});
  b.counter(k, kSm, 30, {.unit = "%"});
  b.counter(k, "Duration", 5, {.unit = "ns"});
  const Recorder r = analyzed(b.build());
  EXPECT_DOUBLE_EQ(*r.value("ncu.memory_throughput_ratio", "kernel=k"), 0.7);
  EXPECT_DOUBLE_EQ(*r.value("ncu.sm_throughput_ratio", "kernel=k"), 0.3);
}

// As Nsight Compute writes them: ratios and counts with a unit or without, rates already in the base unit.
TEST(KernelBound, WarpsCoalescingAndBytesASecond) {
  ReportBuilder b;
  const Row good = measured(b, "copy", 5, 90, 80, 1000);
  b.counter(good, "smsp__thread_inst_executed_per_inst_executed.ratio", 32, {.unit = ""});
  b.counter(good, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 4,
            {.unit = "sector/request"});
  b.counter(good, "dram__bytes.sum.per_second", 2.4e12, {.unit = "byte/s"});
  const Row bad = measured(b, "gather", 5, 30, 20, 3000);
  b.counter(bad, "Avg. Active Threads Per Warp", 8, {.unit = ""});
  b.counter(bad, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 3200, {.unit = "sector"});
  b.counter(bad, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100, {.unit = ""});
  b.counter(bad, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 800, {.unit = "sector"});
  b.counter(bad, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 100, {.unit = ""});
  b.counter(bad, "dram__bytes_read.sum", 1.5e6, {.unit = "byte"});
  b.counter(bad, "dram__bytes_write.sum", 0.3e6, {.unit = "byte"});
  const Recorder r = analyzed(b.build(), {{"rules", std::vector<std::string>{"copy: copy", "indexing: gather"}}});
  EXPECT_DOUBLE_EQ(*r.value("ncu.warp_execution_ratio", "class=copy"), 1);
  EXPECT_DOUBLE_EQ(*r.value("ncu.warp_execution_ratio", "class=indexing"), 0.25);
  EXPECT_DOUBLE_EQ(*r.value("ncu.warp_execution_ratio"), (1 * 1000 + 0.25 * 3000) / 4000) << "weighted by time";
  EXPECT_DOUBLE_EQ(*r.value("ncu.sectors_per_request", "kernel=copy;operation=load"), 4);
  EXPECT_FALSE(r.value("ncu.sectors_per_request", "kernel=copy;operation=store")) << "not measured";
  EXPECT_DOUBLE_EQ(*r.value("ncu.sectors_per_request", "kernel=gather;operation=load"), 32);
  EXPECT_DOUBLE_EQ(*r.value("ncu.sectors_per_request", "kernel=gather;operation=store"), 8);
  EXPECT_DOUBLE_EQ(*r.value("ncu.dram_bytes_per_s", "kernel=copy"), 2.4e12);
  EXPECT_DOUBLE_EQ(*r.value("ncu.dram_peak_bytes_per_s", "kernel=copy"), 3e12);
  EXPECT_DOUBLE_EQ(*r.value("ncu.dram_bytes_per_s", "kernel=gather"), 6e11) << "1.8 MB in 3 us";
  EXPECT_DOUBLE_EQ(*r.value("ncu.dram_throughput_ratio"), (0.8 * 1000 + 0.2 * 3000) / 4000);
}

TEST(KernelBound, OneFindingAReportWithItsNumberOfLaunches) {
  StudyBuilder s;
  auto& joined = s.report("a/run.sqlite");
  joined.fact("kernel.bound_time_ratio", 0.5, "bound=compute").fact("kernel.bound_time_ratio", 0.3, "bound=memory");
  joined.fact("kernel.bound_time_ratio", 0, "bound=latency").fact("kernel.bound_time_ratio", 0.2, "bound=unknown");
  joined.fact("kernel_class.bound_time_ratio", 1, "bound=memory;class=norm");
  joined.fact("kernel.profiled_time_ratio", 0.8).fact("ncu.profiled_count", 7);
  s.report("b/plain.sqlite");
  const Recorder r = concluded(s.build());
  ASSERT_EQ(r.findings.size(), 1U);
  EXPECT_EQ(r.findings[0].title, "run: kernels are bound by compute 50.0 %, memory 30.0 %, not known 20.0 %");
  EXPECT_TRUE(contains_all(
      r.findings[0].text, {"80.0 % of it is in kernels", "(measured launches: n = 7)", "Class norm: memory 100.0 %."}));
  EXPECT_EQ(r.findings[0].evidence.size(), 4U);
  StudyBuilder unknown;
  unknown.report("c.sqlite").fact("kernel.bound_time_ratio", 1, "bound=unknown");
  const Recorder u = concluded(unknown.build());
  EXPECT_EQ(u.findings.at(0).title, "c: what bounds the kernels is unknown");
  EXPECT_TRUE(contains(u.findings.at(0).text, "profile with --section SpeedOfLight"));
  StudyBuilder none;
  none.report("b/plain.sqlite");
  EXPECT_TRUE(contains(concluded(none.build()).skips.at(0).reason, "no profile has counters"));
}

}  // namespace assay::kernel_bound_test
