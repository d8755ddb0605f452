// What the format fills, without the host.
#include <zlib.h>

#include <nlohmann/json.hpp>

#include "assay/testing/table_recorder.hpp"
#include "made_xplane.hpp"
#include "support/test.hpp"

extern "C" const assay::FormatDescriptor assay_format;

namespace assay {
namespace xplane_tables_test {

using Times = std::vector<std::int64_t>;

std::vector<std::string> texts(const testing::TableRecorder& tables, const std::vector<StringId>& ids) {
  std::vector<std::string> all;
  for (const StringId id : ids) all.push_back(tables.string(id));
  return all;
}

test::MadePlane device() {
  test::MadePlane plane("/device:GPU:3");
  plane.stat("gpu_device_name", "H100").stat("clock_rate", 1980000);
  plane.line({"Stream #14(Memset,Compute)",
              14,
              100,
              {{"gemm",
                2'000,
                5'999,
                {{"correlation_id", 7}, {"cuda_graph_node_id", 900}},
                {{"kernel_details", "regs:116 static_shared:4 dynamic_shared:8 grid:3,2,1 block:256,1,1 occ_pct:25"},
                 {"context_id", "$$1"}}},
               {"Memset 0", 9'000, 1'000, {}, {{"Memset_details", "kind:unknown num_bytes:240 async:0"}}}}});
  plane.line({"Stream #17(MemcpyD2H)",
              17,
              100,
              {{"MemcpyD2H",
                0,
                1'000,
                {{"correlation_id", 8}},
                {{"memcpy_details", "kind_src:device kind_dst:pinned size:4 dest:0 async:1"}}}}});
  plane.line({"XLA Ops", 99, 100, {{"fusion.1", 0, 10}, {"fusion.2", 10, 10}}});
  return plane;
}

test::MadePlane host() {
  test::MadePlane plane("/host:CPU");
  plane.stat("process_id", 6787);
  plane.line({"Host Threads/6787", 6787, 0, {{"BUFFER_FLUSH", 1'000, 1'000}}});
  plane.line({"python3",
              -5,
              50,
              {{"train", 0, 90'000, {{"step_num", 3}}},
               {"data", 1'000, 1'000},
               {"np.asarray(jax.Array)", 40'000, 9'000},
               {"PjitFunction(f)", 8'000, 20'000},
               {"ParseArguments", 8'500, 500},
               {"Execute", 60'000, 500, {{"_src", 1}}},
               {"D2H Copy From Staging Buffer", 61'000, 500},
               {"StartRegion", 1'500, 0},
               {"$array.py:293 __float__", 2'000, 3'000},
               {"cuGraphLaunch (CudaGraph:167)", 10'000, 5'000, {{"correlation_id", 7}}},
               {"gemm", 16'000, 1'000, {{"correlation_id", 9}}},
               {"MemcpyD2H", 20'000, 4'000, {{"correlation_id", 8}}},
               {"MemoryAllocation",
                30'000,
                0,
                {{"allocation_bytes", 256}, {"bytes_allocated", 512}},
                {{"allocator_name", "GPU_3_bfc"}}},
               {"MemoryDeallocation",
                31'000,
                0,
                {{"allocation_bytes", 256}, {"bytes_allocated", 256}},
                {{"allocator_name", "xla_gpu_host_bfc"}}}}});
  return plane;
}

struct LoadedSpace {
  explicit LoadedSpace(const test::Message& space) : file(space), tables(assay_format) {
    problem = tables.load(file.path());
  }
  test::MadeSpace file;
  testing::TableRecorder tables;
  std::string problem;
};

TEST(XplaneTables, HoldTheWorkOfStreamsWithItsShapes) {
  LoadedSpace of(test::made_space({device(), host()}));
  ASSERT_EQ(of.problem, "");
  testing::TableRecorder& t = of.tables;
  EXPECT_EQ(texts(t, t.cells(col::kernels, &KernelTable::name)), (std::vector<std::string>{"gemm"}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::start), (Times{102}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::end), (Times{107})) << "7.999 ns after the line's begin";
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::device), (std::vector<std::int32_t>{3}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::stream), (std::vector<std::int32_t>{14}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::context), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::correlation), (Times{7}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::graph_node), (Times{900}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::grid_y), (std::vector<std::int32_t>{2}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::block_x), (std::vector<std::int32_t>{256}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::registers), (std::vector<std::int32_t>{116}));
  EXPECT_EQ(t.cells(col::kernels, &KernelTable::occupancy), (std::vector<double>{0.25}));
  EXPECT_EQ(t.cells(col::sets, &SetTable::bytes), (Times{240}));
  EXPECT_EQ(t.cells(col::copies, &CopyTable::bytes), (Times{4}));
  EXPECT_EQ(t.cells(col::copies, &CopyTable::direction), (std::vector<CopyDirection>{CopyDirection::kDeviceToHost}));
  EXPECT_EQ(t.cells(col::copies, &CopyTable::target_kind), (std::vector<MemoryKind>{MemoryKind::kPinned})) << "pinned";
  EXPECT_EQ(t.passed_over_rows.at("XLA Ops"), 2) << "made of the streams by a viewer";
}

TEST(XplaneTables, HoldWhatThreadsDidByItsKind) {
  LoadedSpace of(test::made_space({device(), host()}));
  ASSERT_EQ(of.problem, "");
  testing::TableRecorder& t = of.tables;
  EXPECT_EQ(texts(t, t.cells(col::calls, &CallTable::name)),
            (std::vector<std::string>{"np.asarray(jax.Array)", "cuGraphLaunch", "cuLaunchKernel", "MemcpyD2H"}))
      << "XLA names a launch by its kernel; JAX waits without a call";
  EXPECT_EQ(t.cells(col::calls, &CallTable::kind), (std::vector<CallKind>{CallKind::kDeviceSync, CallKind::kGraphLaunch,
                                                                          CallKind::kKernelLaunch, CallKind::kCopy}));
  EXPECT_EQ(t.cells(col::calls, &CallTable::correlation), (Times{kNone, 7, 9, 8}));
  EXPECT_EQ(texts(t, t.cells(col::ranges, &RangeTable::name)),
            (std::vector<std::string>{"train 3", "data", "PjitFunction(f)", "np.asarray(jax.Array)"}));
  EXPECT_EQ(t.cells(col::ranges, &RangeTable::end), (Times{140, 52, 78, 99}));
  EXPECT_EQ(texts(t, t.cells(col::overheads, &OverheadTable::name)), (std::vector<std::string>{"BUFFER_FLUSH"}));
  EXPECT_EQ(t.cells(col::allocations, &AllocationTable::device), (std::vector<std::int32_t>{3, kNone}));
  EXPECT_EQ(t.cells(col::allocations, &AllocationTable::bytes), (Times{256, -256}));
  EXPECT_EQ(t.cells(col::allocations, &AllocationTable::allocated), (Times{512, 256}));
  EXPECT_EQ(texts(t, t.cells(col::ops, &OpTable::name)),
            (std::vector<std::string>{"array.py(293): __float__", "ParseArguments", "Execute",
                                      "D2H Copy From Staging Buffer"}))
      << "what JAX does inside of a call of a compiled function, or says itself, is no range of the program";
  EXPECT_EQ(t.cells(col::ops, &OpTable::kind),
            (std::vector<OpKind>{OpKind::kPythonFunction, OpKind::kOperator, OpKind::kOperator, OpKind::kOperator}));
  EXPECT_EQ(t.passed_over_rows.at("instants"), 1);
}

// Regression: the shapes of launches and copies were numbered by text together.
TEST(XplaneTables, ReadATextAsALaunchAndAsACopy) {
  test::MadePlane plane("/device:GPU:0");
  const std::string text = "regs:7 size:9";
  plane.line({"Stream #1",
              1,
              0,
              {{"k0", 0, 5, {}, {{"kernel_details", "regs:1"}}},
               {"k", 10, 5, {}, {{"kernel_details", text}}},
               {"MemcpyD2H", 20, 5, {}, {{"memcpy_details", text}}}}});
  LoadedSpace of(test::made_space({plane}));
  EXPECT_EQ(of.tables.cells(col::kernels, &KernelTable::registers), (std::vector<std::int32_t>{1, 7}));
  EXPECT_EQ(of.tables.cells(col::copies, &CopyTable::bytes), (Times{9}));
}

TEST(XplaneTables, NameTpusWithoutReadingThem) {
  test::MadePlane tpu("/device:TPU:0");
  tpu.line({"XLA Ops", 1, 0, {{"fusion", 0, 5}, {"fusion", 9, 5}}});
  LoadedSpace of(test::made_space({tpu, host()}));
  EXPECT_EQ(of.problem, "");
  EXPECT_EQ(of.tables.issues, (std::vector<std::string>{"tpu_not_read"}));
}

TEST(XplaneTables, AreRefusedWithThePlaceOfTheDamage) {
  const test::Message whole = test::made_space({device(), host()});
  EXPECT_TRUE(contains(LoadedSpace(whole.substr(0, whole.size() / 2)).problem, "byte "));
  EXPECT_TRUE(contains(LoadedSpace(test::bytes(1, "\x07")).problem, "a field of a type that there is not"));
  EXPECT_TRUE(contains(LoadedSpace(test::bytes(1, std::string(12, '\xff'))).problem, "more than 64 bits"));
}

TEST(XplaneTables, LeaveOutWhatHasNoName) {
  test::MadePlane plane("/device:GPU:0");
  plane.line({"Stream #1", 1, 0, {{"k", 0, 5}}});
  const test::Message nameless = test::bytes(2, "/device:GPU:0") +
                                 test::bytes(3, test::bytes(2, "Stream #1") + test::bytes(4, test::number(1, 77)));
  LoadedSpace of(test::made_space({plane}) + test::bytes(1, nameless));
  EXPECT_EQ(of.problem, "");
  EXPECT_EQ(of.tables.cells(col::kernels, &KernelTable::start).size(), 1U);
  EXPECT_EQ(of.tables.issues, (std::vector<std::string>{"unnamed_events"}));
}

TEST(XplaneFormat, KnowsItsOwnFilesAlone) {
  const auto sniff = [](const std::string& head) {
    return assay_format.sniff({.path = "a", .size = head.size(), .head = Str(head)});
  };
  EXPECT_TRUE(sniff(test::made_space({device()}).substr(0, 512)));
  EXPECT_TRUE(sniff(test::bytes(1, test::number(1, 4) + test::bytes(2, "Task Environment"))));
  EXPECT_FALSE(sniff(test::bytes(1, test::bytes(2, "loss"))));
  EXPECT_FALSE(sniff("\n\n\n\n"));
  EXPECT_FALSE(sniff(""));
}

/// Sum and count of the events of a process in JAX's own trace, ps.
std::pair<std::int64_t, std::int64_t> traced(const nlohmann::json& trace, std::int64_t process) {
  std::pair<std::int64_t, std::int64_t> sum;
  for (const auto& event : trace["traceEvents"]) {
    if (event.value("ph", "") != "X" || event["pid"] != process) continue;
    sum.first += std::llround(event["dur"].get<double>() * 1e6);
    ++sum.second;
  }
  return sum;
}

std::string inflated(const std::filesystem::path& file) {
  std::string text(8U << 20U, '\0');
  gzFile in = gzopen(file.c_str(), "rb");
  text.resize(static_cast<std::size_t>(std::max(gzread(in, text.data(), static_cast<unsigned>(text.size())), 0)));
  gzclose(in);
  return text;
}

TEST(RealXplane, HasTheSumsOfJaxsOwnTrace) {
  const auto file = testing::data_file("jax", "f32.xplane.pb"), trace = testing::data_file("jax", "f32.trace.json.gz");
  if (!file || !trace) GTEST_SKIP() << "ASSAY_DATA has no jax";
  testing::TableRecorder t(assay_format);
  ASSERT_EQ(t.load(file->string()), "");
  const auto length = [](const Times& start, const Times& end) {
    return std::reduce(end.begin(), end.end()) - std::reduce(start.begin(), start.end());
  };
  const Times kernels = t.cells(col::kernels, &KernelTable::start), sets = t.cells(col::sets, &SetTable::start),
              copies = t.cells(col::copies, &CopyTable::start);
  const auto [sum, count] = traced(nlohmann::json::parse(inflated(*trace)), 1);
  EXPECT_EQ(static_cast<std::int64_t>(kernels.size() + sets.size() + copies.size()), count);
  EXPECT_EQ(
      1000 * (length(kernels, t.cells(col::kernels, &KernelTable::end)) +
              length(sets, t.cells(col::sets, &SetTable::end)) + length(copies, t.cells(col::copies, &CopyTable::end))),
      sum);
  EXPECT_EQ(kernels.size(), 2184U);
  EXPECT_EQ(t.cells(col::calls, &CallTable::start).size(), 48U) << "40 of CUDA, 8 in which JAX waits";
}

}  // namespace xplane_tables_test
}  // namespace assay
