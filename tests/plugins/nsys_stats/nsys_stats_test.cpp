// nsys_stats on reports made by hand; expected numbers follow from the definitions of nsys.
#include "algo/nsys/reports.hpp"
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::nsys_stats_test {

using under_test::nsys_stats::analyzed;

using namespace testing;

OptionInputs only(const std::string& report) { return {{"reports", std::vector<std::string>{report}}}; }

const RecordedTable& table(const Recorder& r) {
  if (r.tables.size() != 1) throw std::runtime_error("not one table");
  return r.tables.front();
}
const std::vector<std::int64_t>& integers(const Recorder& r, std::string_view column) {
  return table(r).column(column)->integers;
}
const std::vector<double>& numbers(const Recorder& r, std::string_view column) {
  return table(r).column(column)->numbers;
}
const std::vector<std::string>& texts(const Recorder& r, std::string_view column) {
  return table(r).column(column)->texts;
}
std::int64_t remark(const Recorder& r, std::string_view name) {
  for (const auto& issue : r.issues) {
    if (issue.name == name) return issue.count;
  }
  return 0;
}

TEST(NsysStats, MedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  ReportBuilder b;
  for (const std::int64_t duration : {40, 10, 30, 20}) b.kernel("k", 100, 100 + duration);
  const Recorder r = analyzed(b.build(), only("cuda_gpu_kern_sum"));
  EXPECT_TRUE(equals(numbers(r, "Med"), {25}));
  EXPECT_TRUE(equals(numbers(r, "Avg"), {25}));
  EXPECT_TRUE(equals(numbers(r, "StdDev"), {12.9}));
  EXPECT_TRUE(equals(integers(r, "Min"), {10}));
  EXPECT_TRUE(equals(integers(r, "Max"), {40}));
  EXPECT_TRUE(equals(numbers(r, "Time"), {100}));
}

/// Values of 32 bits are summed up apart from larger ones.
TEST(NsysStats, DurationsOfAnyLengthCount) {
  constexpr std::int64_t kMax = std::numeric_limits<std::uint32_t>::max();
  for (const std::int64_t longest : {kMax, kMax + 1, std::int64_t{1} << 60}) {
    ReportBuilder b;
    for (const std::int64_t duration : {longest, std::int64_t{4}}) {
      b.kernel("k", 100, 100 + duration);
      b.call(CallKind::kOther, 100, 100 + duration, 0, {.name = "cudaMalloc"});
    }
    for (const char* report : {"cuda_gpu_kern_sum", "cuda_api_sum"}) {
      const Recorder r = analyzed(b.build(), only(report));
      EXPECT_TRUE(equals(integers(r, "Total Time"), {longest + 4})) << report;
      EXPECT_TRUE(equals(integers(r, "Max"), {longest})) << report;
      EXPECT_TRUE(equals(numbers(r, "Med"), {static_cast<double>(longest + 4) / 2})) << report;
    }
  }
}

TEST(NsysStats, OneInstanceHasNoDeviation) {
  ReportBuilder b;
  b.kernel("k", 0, 7);
  EXPECT_TRUE(equals(numbers(analyzed(b.build(), only("cuda_gpu_kern_sum")), "StdDev"), {0}));
}

TEST(NsysStats, KernelsStandByTotalThenCountThenName) {
  ReportBuilder b;
  b.kernel("twice", 0, 5);
  b.kernel("twice", 10, 15);
  b.kernel("b", 20, 30);
  b.kernel("a", 40, 50);
  b.kernel("longest", 60, 80);
  const Recorder r = analyzed(b.build(), only("cuda_gpu_kern_sum"));
  EXPECT_TRUE(equals(texts(r, "Name"), {"longest", "a", "b", "twice"}));
}

TEST(NsysStats, ShapesTellKernelsApart) {
  ReportBuilder b;
  b.kernel("k", 0, 5, {.grid = {2, 1, 1}, .block = {128, 1, 1}});
  b.kernel("k", 5, 15, {.grid = {2, 1, 1}, .block = {256, 1, 1}});
  const Recorder r = analyzed(b.build(), only("cuda_gpu_kern_gb_sum"));
  EXPECT_TRUE(equals(texts(r, "GridXYZ"), {"   2    1    1", "   2    1    1"}));
  EXPECT_TRUE(equals(texts(r, "BlockXYZ"), {" 256    1    1", " 128    1    1"}));
}

TEST(NsysStats, OnlyFourDigitsOfAVersionAreCutOff) {
  ReportBuilder b;
  b.call(CallKind::kOther, 0, 10, 0, {.name = "cudaMalloc_v3020"});
  b.call(CallKind::kOther, 20, 25, 0, {.name = "cudaStreamIsCapturing_v10000"});
  b.call(CallKind::kOther, 30, 31, 0, {.name = "cudaMalloc"});
  const Recorder r = analyzed(b.build(), only("cuda_api_sum"));
  // A call under two names counts under each.
  EXPECT_TRUE(equals(texts(r, "Name"), {"cudaMalloc", "cudaStreamIsCapturing_v10000", "cudaMalloc"}));
  EXPECT_TRUE(equals(integers(r, "Num Calls"), {1, 1, 1}));
}

TEST(NsysStats, MemoryOperationsByDirectionInMegabytes) {
  ReportBuilder b;
  b.copy(CopyDirection::kHostToDevice, 1'500'000, 0, 10);
  b.copy(CopyDirection::kHostToDevice, 500'000, 10, 30);
  b.set(4, 30, 31);
  const Recorder sizes = analyzed(b.build(), only("cuda_gpu_mem_size_sum"));
  EXPECT_TRUE(equals(texts(sizes, "Operation"), {"[CUDA memcpy Host-to-Device]", "[CUDA memset]"}));
  EXPECT_TRUE(equals(numbers(sizes, "Total"), {2.0, 4e-6}));
  const Recorder times = analyzed(b.build(), only("cuda_gpu_mem_time_sum"));
  EXPECT_TRUE(equals(integers(times, "Total Time"), {30, 1}));
}

TEST(NsysStats, RangesCarryTheNameOfTheirDomain) {
  ReportBuilder b;
  b.range("forward", 0, 10);
  b.range("allreduce", 2, 4, {.domain = "NCCL"});
  b.span("allreduce", 5, 6, {.domain = "NCCL"});
  const Recorder r = analyzed(b.build(), only("nvtx_sum"));
  EXPECT_TRUE(equals(texts(r, "Range"), {"forward", "NCCL:allreduce", "NCCL:allreduce"}));
  EXPECT_TRUE(equals(texts(r, "Style"), {"PushPop", "PushPop", "StartEnd"}));
}

TEST(NsysStats, AnOpenRangeEndsAtTheLastStampOfAnyRange) {
  ReportBuilder b;
  b.range("open", 0, 500, {.open = true});
  b.range("closed", 10, 40);
  b.kernel("k", 450, 500);
  const Recorder r = analyzed(b.build(), only("nvtx_sum"));
  EXPECT_TRUE(equals(integers(r, "Total Time"), {40, 30}));
}

/// outer holds a launch of its own and inner, which holds another; the second kernel ends before the first.
ReportBuilder& nested(ReportBuilder& b) {
  b.range("outer", 0, 100);
  b.range("inner", 10, 50);
  b.range("idle", 60, 70);
  const Row first = b.call(CallKind::kKernelLaunch, 20, 25, 0, {.name = "cudaLaunchKernel"});
  const Row second = b.call(CallKind::kKernelLaunch, 80, 85, 0, {.name = "cudaLaunchKernel"});
  b.kernel("a", 30, 300, {.call = first});
  b.kernel("b", 90, 120, {.stream = 8, .call = second});
  return b;
}

TEST(NsysStats, ProjectionReachesFromFirstToLastWork) {
  ReportBuilder b;
  const Recorder r = analyzed(nested(b).build(), only("nvtx_gpu_proj_sum"));
  EXPECT_TRUE(equals(texts(r, "Range"), {"inner", "outer"}));  // equal totals: by name
  EXPECT_TRUE(equals(integers(r, "Total Proj Time"), {270, 270}));
  EXPECT_TRUE(equals(integers(r, "Total Range Time"), {40, 100}));
  EXPECT_TRUE(equals(integers(r, "Total GPU Ops"), {1, 2}));
  EXPECT_TRUE(equals(numbers(r, "Avg Range Lvl"), {1, 0}));
  EXPECT_TRUE(equals(numbers(r, "Avg Num Child"), {0, 1}));  // a range without GPU work is no child
}

TEST(NsysStats, KernelsCountForAllRangesAroundTheirLaunch) {
  ReportBuilder b;
  nested(b).kernel("loose", 400, 405);
  const Recorder r = analyzed(b.build(), only("nvtx_kern_sum"));
  EXPECT_TRUE(equals(texts(r, "NVTX Range"), {"", "inner", "outer", "outer"}));
  EXPECT_TRUE(equals(texts(r, "Kernel Name"), {"loose", "a", "a", "b"}));
  EXPECT_TRUE(equals(integers(r, "NVTX Inst"), {0, 1, 1, 1}));
  EXPECT_TRUE(equals(integers(r, "PID"), {kNoInteger, 1, 1, 1}));
}

TEST(NsysStats, KernelsOutsideOfRangesCarryTheThreadOfTheirCall) {
  ReportBuilder b;
  b.range("r", 0, 10);
  b.kernel("k", 50, 60, {.call = b.call(CallKind::kKernelLaunch, 20, 30)});
  const Recorder r = analyzed(b.build(), only("nvtx_kern_sum"));
  EXPECT_TRUE(equals(texts(r, "NVTX Range"), {""}));
  EXPECT_TRUE(equals(integers(r, "PID"), {1}));
  EXPECT_TRUE(equals(integers(r, "TID"), {1}));
}

TEST(NsysStats, ARangeInItselfCountsKernelsOnceALevelUnlessCorrected) {
  ReportBuilder b;
  b.range("again", 0, 100);
  b.range("again", 10, 90);
  b.kernel("k", 200, 230, {.call = b.call(CallKind::kKernelLaunch, 20, 30)});
  const Recorder exact = analyzed(b.build(), only("nvtx_kern_sum"));
  EXPECT_TRUE(equals(integers(exact, "NVTX Inst"), {2}));
  EXPECT_TRUE(equals(integers(exact, "Kern Inst"), {1}));
  EXPECT_TRUE(equals(integers(exact, "Total Time"), {60}));
  EXPECT_EQ(remark(exact, "ranges_in_themselves"), 1);
  OptionInputs options = only("nvtx_kern_sum");
  options.push_back({"corrected", true});
  const Recorder corrected = analyzed(b.build(), options);
  EXPECT_TRUE(equals(integers(corrected, "Kern Inst"), {1}));
  EXPECT_TRUE(equals(integers(corrected, "Total Time"), {30}));
  EXPECT_EQ(remark(corrected, "ranges_in_themselves"), 0);
}

TEST(NsysStats, KernelNamesWithTheInnermostRangeAroundTheirLaunch) {
  ReportBuilder b;
  const Recorder r = analyzed(nested(b).build(), only("cuda_gpu_kern_sum:nvtx-name"));
  EXPECT_TRUE(equals(texts(r, "Name"), {"inner/a", "outer/b"}));
}

TEST(NsysStats, ReportsAreFoundWithTheirOptionsAndNoOthers) {
  for (const char* name :
       {"cuda_gpu_trace:nvtx-name:base", "nvtx_kern_sum:mangled", "um_sum:rows=3", "gpu_gaps:rows=1"})
    EXPECT_TRUE(find_nsys_report(name)) << name;
  for (const char* name : {"cuda_api_sum:base", "nvtx_kern_sum:nvtx-name", "um_sum:rows=0",
                           "um_sum:rows=", "osrt_sum:", "vulkan_api_sum", ""})
    EXPECT_FALSE(find_nsys_report(name)) << name;
  EXPECT_TRUE(is_nsys_graphics_report("vulkan_api_sum"));
  EXPECT_FALSE(is_nsys_graphics_report("cuda_api_sum"));
}

TEST(NsysStats, ATableOfManyRowsComesInPiecesThatAreOneTable) {
  ReportBuilder b;
  for (std::int64_t k = 0; k < 9000; ++k) b.kernel("k", 10 * k, 10 * k + 5);
  const Recorder r = analyzed(b.build(), only("cuda_gpu_trace"));
  ASSERT_TRUE(size_is(integers(r, "Start"), 9000));
  EXPECT_EQ(integers(r, "Start").back(), 89990);
}

TEST(NsysStats, RangesOfOtherThreadsHoldNothingAndThatIsSaid) {
  ReportBuilder b;
  b.thread(1);
  const std::uint32_t autograd = b.thread(2);
  b.range("backward", 0, 100);
  b.range("handed over", 0, 100, {.end_thread = autograd});
  const Row own = b.call(CallKind::kKernelLaunch, 10, 11), other = b.call(CallKind::kKernelLaunch, 20, 21, autograd);
  b.kernel("a", 30, 40, {.call = own});
  b.kernel("b", 50, 65, {.call = other});
  const Recorder r = analyzed(b.build(), only("nvtx_gpu_proj_sum"));
  EXPECT_TRUE(equals(texts(r, "Range"), {"backward"}));
  EXPECT_TRUE(equals(integers(r, "Total Proj Time"), {10}));
  EXPECT_EQ(remark(r, "launched_by_other_threads"), 1);
  EXPECT_EQ(remark(r, "ranges_end_elsewhere"), 1);
}

TEST(NsysStats, CallsThatSpanARangesEndAreNotInside) {
  ReportBuilder b;
  b.range("r", 0, 20);
  const Row inside = b.call(CallKind::kKernelLaunch, 0, 20), across = b.call(CallKind::kKernelLaunch, 15, 25);
  b.kernel("in", 30, 40, {.call = inside});
  b.kernel("out", 50, 90, {.call = across});
  EXPECT_TRUE(equals(integers(analyzed(b.build(), only("nvtx_gpu_proj_sum")), "Total GPU Ops"), {1}));
}

TEST(NsysStats, CallsInsideCallsAreFoundOneByOne) {
  ReportBuilder b;
  b.range("short", 0, 50);
  b.range("long", 0, 200);
  const Row outer = b.call(CallKind::kKernelLaunch, 10, 100), within = b.call(CallKind::kKernelLaunch, 20, 30);
  b.kernel("outer", 200, 230, {.call = outer});
  b.kernel("within", 300, 310, {.call = within});
  const Recorder r = analyzed(b.build(), only("nvtx_gpu_proj_sum"));
  EXPECT_TRUE(equals(texts(r, "Range"), {"long", "short"}));
  EXPECT_TRUE(equals(integers(r, "Total Proj Time"), {110, 10}));
  EXPECT_TRUE(equals(integers(r, "Total GPU Ops"), {2, 1}));
}

TEST(NsysStats, QueueTimeOnlyWhereTheKernelWaited) {
  ReportBuilder b;
  const Row waited = b.call(CallKind::kKernelLaunch, 0, 10, 0, {.name = "cudaLaunchKernel_v7000"});
  const Row early = b.call(CallKind::kKernelLaunch, 100, 150, 0, {.name = "cudaLaunchKernel_v7000"});
  b.kernel("a", 30, 50, {.call = waited});
  b.kernel("b", 120, 130, {.call = early});
  const Recorder r = analyzed(b.build(), only("cuda_kern_exec_sum"));
  EXPECT_TRUE(equals(texts(r, "Kernel Name"), {"a", "b"}));
  EXPECT_TRUE(equals(texts(r, "API Name"), {"cudaLaunchKernel", "cudaLaunchKernel"}));
  EXPECT_TRUE(equals(integers(r, "TMin"), {50, 50}));  // the call of b outlasts its kernel
  EXPECT_TRUE(equals(integers(r, "QCount"), {1, 0}));
  EXPECT_TRUE(equals(integers(r, "QMin"), {20, kNoInteger}));
  EXPECT_TRUE(std::isnan(numbers(r, "QAvg")[1]));
  EXPECT_EQ(numbers(r, "QStdDev")[1], 0);  // nsys prints one all the same
}

TEST(NsysStats, WorkCountsForEachCallOfItsCorrelationIdAndThatIsSaid) {
  ReportBuilder b;
  const Row second = b.call(CallKind::kOther, 50, 52, 0, {.name = "cuOther"});
  const Row first = b.call(CallKind::kKernelLaunch, 0, 10, 0, {.name = "cudaLaunchKernel", .twin = second});
  b.kernel("a", 30, 40, {.call = first});
  const Recorder r = analyzed(b.build(), only("cuda_kern_exec_sum"));
  EXPECT_TRUE(equals(texts(r, "API Name"), {"cudaLaunchKernel", "cuOther"}));
  EXPECT_EQ(remark(r, "shared_correlation"), 1);
}

TEST(NsysStats, GraphsThatHideTheirKernelsAreSaid) {
  ReportBuilder b;
  b.kernel("k", 0, 10);
  b.graph(1, 20, 50);
  const Recorder r = analyzed(b.build(), only("cuda_gpu_kern_sum"));
  EXPECT_EQ(remark(r, "graphs_left_out"), 1);
  EXPECT_TRUE(contains(r.issues.front().text, "30 ns"));
}

TEST(NsysStats, GraphsTracedAsAWholeCountUnderTheirRangeWhenCorrected) {
  ReportBuilder b;
  b.range("step", 0, 100);
  b.kernel("k", 10, 20, {.call = b.call(CallKind::kKernelLaunch, 1, 5)});
  b.graph(1, 30, 90, {.call = b.call(CallKind::kGraphLaunch, 10, 15)});
  OptionInputs options = only("nvtx_gpu_proj_sum");
  EXPECT_TRUE(equals(integers(analyzed(b.build(), options), "Total Proj Time"), {10})) << "as nsys has it";
  options.push_back({"corrected", true});
  const Recorder corrected = analyzed(b.build(), options);
  EXPECT_TRUE(equals(integers(corrected, "Total Proj Time"), {80}));
  EXPECT_EQ(remark(corrected, "graphs_counted_whole"), 1);
}

TEST(NsysStats, GraphsTracedAsAWholeAreUnusedTimeToNsysAndUsedWhenCorrected) {
  ReportBuilder b;
  b.kernel("k", 0, 10);
  b.graph(1, 20, 50);
  b.kernel("k", 90, 100);
  OptionInputs options = only("gpu_gaps");
  options.push_back({"gap_ns", std::int64_t{0}});
  const Recorder exact = analyzed(b.build(), options);
  EXPECT_TRUE(equals(integers(exact, "Duration"), {80}));
  EXPECT_EQ(remark(exact, "graphs_left_out"), 1);
  options.push_back({"corrected", true});
  const Recorder corrected = analyzed(b.build(), options);
  EXPECT_TRUE(equals(integers(corrected, "Duration"), {40, 10}));
  EXPECT_EQ(remark(corrected, "graphs_counted_whole"), 1);
}

TEST(NsysStats, KernelsOfOneGraphLaunchAreSaid) {
  ReportBuilder b;
  const Row launch = b.call(CallKind::kGraphLaunch, 0, 10, 0, {.name = "cudaGraphLaunch"});
  b.kernel("a", 20, 30, {.call = launch});
  b.kernel("a", 30, 40, {.call = launch});
  const Recorder r = analyzed(b.build(), only("cuda_kern_exec_sum"));
  EXPECT_TRUE(equals(integers(r, "Count"), {2}));
  EXPECT_EQ(remark(r, "graph_kernels"), 2);
}

TEST(NsysStats, GapsAreStrictlyLongerThanTheLimit) {
  ReportBuilder b;
  b.kernel("a", 0, 10);
  b.kernel("long", 5, 100);
  b.kernel("b", 200, 210);
  b.kernel("c", 311, 320);
  OptionInputs options = only("gpu_gaps");
  options.push_back({"gap_ns", std::int64_t{100}});
  const Recorder r = analyzed(b.build(), options);
  EXPECT_TRUE(equals(integers(r, "Duration"), {101}));
  EXPECT_TRUE(equals(integers(r, "Start"), {210}));
  b.overhead(250, 260);
  EXPECT_TRUE(is_empty(integers(analyzed(b.build(), options), "Duration")));
}

TEST(NsysStats, LowUseJoinsNeighboursByTheirLength) {
  ReportBuilder b;
  b.kernel("a", 0, 10);
  b.kernel("b", 10, 11);
  b.kernel("c", 20, 24);
  b.kernel("d", 30, 40);
  OptionInputs options = only("gpu_time_util");
  options.push_back({"util_chunks", std::int64_t{4}});
  const Recorder r = analyzed(b.build(), options);
  EXPECT_TRUE(equals(numbers(r, "In-Use"), {25}));  // 10 % and 40 % of 10 ns each
  EXPECT_TRUE(equals(integers(r, "Duration"), {20}));
  EXPECT_TRUE(equals(integers(r, "Start"), {10}));
}

TEST(NsysStats, OnlyTheWindowCounts) {
  ReportBuilder b;
  b.window("train", {100, 300}, Interval{100, 200});
  b.range("train", 100, 200);
  b.range("before", 0, 50);
  b.kernel("in", 120, 150);
  b.kernel("out", 0, 40, {.membership = Membership::kOutside});
  b.kernel("running", 40, 110, {.membership = Membership::kForeign});
  EXPECT_TRUE(equals(texts(analyzed(b.build(), only("cuda_gpu_kern_sum")), "Name"), {"in"}));
  EXPECT_TRUE(equals(texts(analyzed(b.build(), only("nvtx_sum")), "Range"), {"train"}));
}

TEST(NsysStats, SkipsUncapturedTablesWithAReason) {
  ReportBuilder b;
  std::vector<std::string> all;
  for (const NsysReport& report : kNsysReports) all.emplace_back(report.name);
  const Recorder r = analyzed(b.build(), {{"reports", all}});
  EXPECT_TRUE(is_empty(r.tables));
  EXPECT_TRUE(size_is(r.skips, all.size()));
}

TEST(NsysStats, CapturedAndEmptyIsATableWithoutRows) {
  ReportBuilder b;
  for (const ColumnId id : {col::kernels, col::copies, col::sets, col::calls, col::ranges, col::spans}) b.captured(id);
  std::vector<std::string> all;
  for (const NsysReport& report : kNsysReports) {
    const std::string_view name = report.name;
    const bool of_others = name.starts_with("mpi_") || name.starts_with("open") || name.starts_with("osrt_") ||
                           name.starts_with("um_") || name.starts_with("cuda_mem");  // nsys_stats_tables_test.cpp
    if (!of_others) all.emplace_back(name);
  }
  const Recorder r = analyzed(b.build(), {{"reports", all}});
  EXPECT_TRUE(size_is(r.tables, all.size()));
  EXPECT_TRUE(is_empty(r.skips));
}

TEST(NsysStats, WithoutMangledNamesTheDemangledOnesStandForThemAndThatIsSaid) {
  ReportBuilder b;
  b.kernel("k", 0, 10);
  b.absent(col::kernel_mangled_name);
  const Recorder r = analyzed(b.build(), only("cuda_gpu_kern_sum:mangled"));
  EXPECT_TRUE(equals(texts(r, "Name"), {"k"}));
  EXPECT_TRUE(size_is(r.issues, 1));
  EXPECT_EQ(r.issues.front().name, "no_mangled_names");
}

TEST(NsysStats, ThreadsChangeNothing) {
  ReportBuilder b;
  nested(b);
  std::vector<std::string> all;
  for (const NsysReport& report : kNsysReports) all.emplace_back(report.name);
  const Recorder one = analyzed(b.build(), {{"reports", all}});
  const Recorder many = analyzed(b.build(), {{"reports", all}, {"threads", std::int64_t{8}}});
  ASSERT_EQ(one.tables.size(), many.tables.size());
  for (std::size_t t = 0; t < one.tables.size(); ++t) {
    EXPECT_EQ(one.tables[t].id, many.tables[t].id);
    for (std::size_t c = 0; c < one.tables[t].columns.size(); ++c) {
      EXPECT_EQ(one.tables[t].columns[c].integers, many.tables[t].columns[c].integers);
      EXPECT_EQ(one.tables[t].columns[c].texts, many.tables[t].columns[c].texts);
    }
  }
}

}  // namespace assay::nsys_stats_test
