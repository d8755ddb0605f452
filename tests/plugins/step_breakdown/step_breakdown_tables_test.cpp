// Use of the devices, occupancy, kernels, operators, modules and memory of one report.
#include "plugins/analyzers.hpp"
#include "plugins/step_breakdown/occupancy.hpp"
#include "support/test.hpp"

namespace assay::step::step_breakdown_tables_test {

using under_test::step_breakdown::analyzed;

using namespace testing;

constexpr DeviceOptions hopper() {
  DeviceOptions h;
  h.sm_count = 132;
  h.compute_major = 9;
  h.compute_minor = 0;
  h.max_threads_per_sm = 2048;
  h.max_blocks_per_sm = 32;
  h.max_registers_per_sm = 65536;
  h.max_shared_per_sm = 233472;
  return h;
}
const SmLimits kHopper{2048, 32, 65536, 233472, 9};

const OptionInputs kRules = {
    {"rules", std::vector<std::string>{"matmul: gemm"}},
    {"tensor_core_rules", std::vector<std::string>{"yes: hmma", "no: sgemm"}},
};

TEST(StepBreakdownOccupancy, TheScarcestResourceLimitsTheBlocks) {
  EXPECT_EQ(resident_blocks(kHopper, {1024, 32, 0}), 2) << "threads";
  EXPECT_EQ(resident_blocks(kHopper, {32, 16, 0}), 32) << "blocks";
  EXPECT_EQ(resident_blocks(kHopper, {256, 128, 0}), 2) << "registers";
  EXPECT_EQ(resident_blocks(kHopper, {256, 255, 0}), 1) << "255 registers are taken as 256";
  EXPECT_EQ(resident_blocks(kHopper, {128, 32, 99 * 1024}), 2) << "shared memory, with the 1 KiB that is reserved";
  EXPECT_EQ(resident_blocks(kHopper, {128, 32, 227 * 1024}), 1);
  EXPECT_EQ(resident_blocks(kHopper, {33, 32, 0}), 32) << "33 threads take two warps";
  EXPECT_EQ(resident_blocks({2048, 32, 65536, 98304, 7}, {128, 32, 12288}), 8) << "nothing is reserved before Ampere";
}

TEST(StepBreakdownOccupancy, ANumberThatIsNotKnownIsNotGuessed) {
  EXPECT_EQ(resident_blocks({2048, kNone, 65536, 233472, 9}, {64, 32, 0}), std::nullopt);
  EXPECT_EQ(resident_blocks({2048, kNone, 65536, 233472, 9}, {128, 32, 0}), 16) << "no device has fewer";
  EXPECT_EQ(resident_blocks(kHopper, {128, kNone, 0}), std::nullopt);
  EXPECT_EQ(resident_blocks(kHopper, {128, 32, kNone}), std::nullopt);
  EXPECT_EQ(resident_blocks({2048, 32, 65536, 233472, kNone}, {128, 32, 0}), std::nullopt);
}

/// As a damaged export would have it, were the loader to let it through.
TEST(StepBreakdownOccupancy, AShapeOfWhichOneSizeIsMissingIsNotKnown) {
  testing::ReportBuilder b;
  b.device(0, {.sm_count = 10, .max_threads_per_sm = 2048});
  b.kernel("k", 100, 200, {.grid = {40, 1, 1}, .block = {64, 1, 1}});
  Report report = b.build();
  EXPECT_DOUBLE_EQ(kernel_fill(report)[0].blocks_per_sm, 4);
  KernelTable kernels = *report.kernels;
  kernels.grid_y = {};
  kernels.grid_z = {};
  kernels.block_y = {};
  report.kernels = &kernels;
  EXPECT_EQ(kernel_fill(report)[0].blocks_origin, Origin::kUnknown);
}

TEST(StepBreakdownDevices, OverlappingKernelsFillTheMultiprocessorsOnlyOnce) {
  ReportBuilder b;
  b.range("ProfilerStep#1", 0, 100);
  b.kernel("a", 0, 40, {.blocks_per_sm = 0.5, .occupancy = 0.2});
  b.kernel("b", 20, 60, {.stream = 8, .blocks_per_sm = 0.75, .occupancy = 0.6});
  const Recorder recorder = analyzed(b.build());
  EXPECT_NEAR(*recorder.value("gpu.utilization_ratio"), 0.6, 1e-15);
  EXPECT_NEAR(*recorder.value("gpu.sm_efficiency_ratio"), (20 * 0.5 + 20 * 1 + 20 * 0.75) / 100, 1e-15);
  EXPECT_NEAR(*recorder.value("gpu.achieved_occupancy_ratio"), 0.4, 1e-15);
  EXPECT_EQ(*recorder.attribute_of("gpu.occupancy_source"), "profiler");
}

TEST(StepBreakdownDevices, KernelsAreClippedToTheSteps) {
  ReportBuilder b;
  b.range("ProfilerStep#1", 100, 200);
  b.call(CallKind::kOther, 100, 101);
  b.kernel("a", 50, 110, {.blocks_per_sm = 2, .occupancy = 1});
  b.kernel("b", 190, 500, {.blocks_per_sm = 2, .occupancy = 0.5});
  const Recorder recorder = analyzed(b.build());
  EXPECT_NEAR(*recorder.value("gpu.utilization_ratio"), 0.2, 1e-15);
  EXPECT_NEAR(*recorder.value("gpu.sm_efficiency_ratio"), 0.2, 1e-15);
  EXPECT_NEAR(*recorder.value("gpu.achieved_occupancy_ratio"), 0.75, 1e-15);
}

TEST(StepBreakdownDevices, OccupancyIsComputedIfTheProfilerHasNone) {
  ReportBuilder b;
  b.device(0, hopper());
  b.range("ProfilerStep#1", 0, 100);
  b.kernel("full", 0, 10, {.grid = {1320, 1, 1}, .block = {256, 1, 1}, .registers = 128});
  b.kernel("few", 10, 20, {.grid = {66, 1, 1}, .block = {128, 1, 1}, .registers = 32});
  const Recorder recorder = analyzed(b.build());
  EXPECT_NEAR(*recorder.value("gpu.achieved_occupancy_ratio"), (2 * 256 / 2048.0 + 0.5 * 128 / 2048) / 2, 1e-15);
  EXPECT_NEAR(*recorder.value("gpu.sm_efficiency_ratio"), (10 * 1 + 10 * 0.5) / 100, 1e-15);
  EXPECT_EQ(*recorder.attribute_of("gpu.occupancy_source"), "computed");
  EXPECT_EQ(*recorder.attribute_of("gpu.blocks_per_sm_source"), "computed");
  EXPECT_EQ(*recorder.attribute_of("gpu.compute_capability"), "9.0");
}

TEST(StepBreakdownDevices, AnOccupancyBelowThatOfOneBlockIsSaidAndCorrected) {  // as kineto gives FlashAttention
  ReportBuilder b;
  b.device(0, hopper());
  b.range("ProfilerStep#1", 0, 100);
  const std::int32_t much = 200 * 1024;
  b.kernel("flash", 0, 30, {.grid = {132, 1, 1}, .block = {512, 1, 1}, .occupancy = 0, .shared_a_block = much});
  b.kernel("few", 30, 40, {.grid = {1, 1, 1}, .block = {512, 1, 1}, .occupancy = 0, .shared_a_block = 0});
  const Recorder recorder = analyzed(b.build());
  EXPECT_EQ(recorder.value("gpu.achieved_occupancy_ratio"), 0);
  EXPECT_NEAR(*recorder.value("gpu.corrected_occupancy_ratio"), 0.75 * 0.25, 1e-15);
  EXPECT_NEAR(*recorder.value("gpu.impossible_occupancy_time_ratio"), 0.75, 1e-15);
  EXPECT_EQ(recorder.issues.at(0).name, "occupancy_impossible");
}

TEST(StepBreakdownDevices, ReportMissingOccupancyWithoutRegisters) {  // as in traces of AMD's profiler
  ReportBuilder b;
  b.device(0, {.sm_count = 304});
  b.range("ProfilerStep#1", 0, 100);
  b.kernel("k", 0, 10, {.grid = {608, 1, 1}, .registers = kNone});
  const Recorder recorder = analyzed(b.build());
  EXPECT_NEAR(*recorder.value("gpu.sm_efficiency_ratio"), 0.1, 1e-15);
  EXPECT_FALSE(recorder.value("gpu.achieved_occupancy_ratio"));
  EXPECT_TRUE(contains(*recorder.skip_of("gpu.achieved_occupancy_ratio"), "registers"));
  EXPECT_FALSE(recorder.attribute_of("gpu.occupancy_source"));
}

TEST(StepBreakdownDevices, SeveralDevicesHaveTheirOwnValuesAndAMean) {
  ReportBuilder b;
  b.range("ProfilerStep#1", 0, 100);
  b.kernel("k", 0, 20, {.device = 0, .occupancy = 0.5});
  b.kernel("k", 0, 60, {.device = 3});
  const Recorder recorder = analyzed(b.build());
  EXPECT_NEAR(*recorder.value("gpu.utilization_ratio", "device=0"), 0.2, 1e-15);
  EXPECT_NEAR(*recorder.value("gpu.utilization_ratio", "device=3"), 0.6, 1e-15);
  EXPECT_NEAR(*recorder.value("gpu.utilization_ratio"), 0.4, 1e-15);
  EXPECT_FALSE(recorder.value("gpu.achieved_occupancy_ratio", "device=3"));
  EXPECT_NEAR(*recorder.value("gpu.achieved_occupancy_ratio"), 0.5, 1e-15);
  EXPECT_EQ(recorder.issues[0].name, "occupancy_unknown");
  EXPECT_TRUE(equals(recorder.table_of("step_devices")->column("device")->integers, {0, 3}));
}

TEST(StepBreakdownKernels, MeansAreWeightedByDurationAndOrderIsByTotalThenName) {
  ReportBuilder b;
  b.range("ProfilerStep#1", 0, 100);
  b.kernel("hmma_gemm", 0, 30, {.blocks_per_sm = 1, .occupancy = 0.2});
  b.kernel("hmma_gemm", 30, 40, {.blocks_per_sm = 5, .occupancy = 0.6});
  b.kernel("sgemm", 40, 60);
  b.kernel("other", 60, 80);
  const Recorder recorder = analyzed(b.build(), kRules);
  const auto& table = *recorder.table_of("step_kernels");
  EXPECT_TRUE(equals(table.column("name")->texts, {"hmma_gemm", "other", "sgemm"}));
  EXPECT_TRUE(equals(table.column("class")->texts, {"matmul", "unknown", "matmul"}));
  EXPECT_TRUE(equals(table.column("tensor cores")->texts, {"yes", "unknown", "no"}));
  EXPECT_TRUE(equals(table.column("calls")->integers, {2, 1, 1}));
  EXPECT_TRUE(equals(table.column("total")->integers, {40, 20, 20}));
  EXPECT_TRUE(equals(table.column("max")->integers, {30, 20, 20}));
  EXPECT_TRUE(equals(table.column("min")->integers, {10, 20, 20}));
  EXPECT_TRUE(equals(table.column("mean")->numbers, {20, 20, 20}));
  EXPECT_NEAR(table.column("mean blocks per SM")->numbers[0], 2, 1e-15);
  EXPECT_NEAR(table.column("mean occupancy")->numbers[0], 0.3, 1e-15);
  EXPECT_TRUE(std::isnan(table.column("mean occupancy")->numbers[1]));
  EXPECT_EQ(recorder.value("step.tensor_core_time_ratio", "uses=yes"), 0.5);
  EXPECT_EQ(recorder.value("step.tensor_core_time_ratio", "uses=unknown"), 0.25);
}

TEST(StepBreakdownKernels, WithoutRulesNothingIsSaidOfTensorCores) {
  ReportBuilder b;
  b.range("ProfilerStep#1", 0, 100);
  b.kernel("hmma", 0, 10);
  const Recorder recorder = analyzed(b.build());
  EXPECT_FALSE(recorder.value("step.tensor_core_time_ratio", "uses=unknown"));
  EXPECT_TRUE(contains(recorder.skips.at(2).reason, "no 'tensor_core_rules' are given"));
}

TEST(StepBreakdownKernels, TheTopKernelAmongTheTopAndTensorCoresAmongWhatIsKnown) {
  ReportBuilder b;
  b.range("ProfilerStep#1", 0, 200);
  b.kernel("sgemm_a", 0, 60);
  b.kernel("hmma_b", 60, 90);
  b.kernel("sgemm_c", 90, 100);
  b.kernel("other", 100, 105);
  const auto with = [](const char* name, const testing::OptionInput& value) {
    OptionInputs options = kRules;
    options.emplace_back(name, value);
    return options;
  };
  const Recorder recorder = analyzed(b.build(), with("top", 2));
  EXPECT_DOUBLE_EQ(*recorder.value("step.top_kernel_time_ratio"), 60.0 / 90);
  EXPECT_DOUBLE_EQ(*analyzed(b.build(), kRules).value("step.top_kernel_time_ratio"), 60.0 / 105) << "there are only 4";
  EXPECT_DOUBLE_EQ(*recorder.value("step.tensor_core_use_ratio"), 0.3) << "of 100 of 105 ns names tell";
  const Recorder strict = analyzed(b.build(), with("least_known", 0.99));
  EXPECT_FALSE(strict.value("step.tensor_core_use_ratio"));
  EXPECT_TRUE(contains(*strict.skip_of("step.tensor_core_use_ratio"), "names show for 95.2 % of the kernel time"));
}

TEST(StepBreakdownKernels, ReportWhatIsCut) {
  ReportBuilder b;
  b.range("ProfilerStep#1", 0, 100);
  for (int i = 0; i < 5; ++i) b.kernel("k" + std::to_string(i), 10 * i, 10 * i + 10);
  OptionInputs options = kRules;
  options.emplace_back("rows", 2);
  const Recorder recorder = analyzed(b.build(), options);
  EXPECT_TRUE(equals(recorder.table_of("step_kernels")->column("name")->texts, {"k0", "k1"}));
  ASSERT_EQ(recorder.issues.size(), 1U);
  EXPECT_EQ(recorder.issues[0].count, 3);
  EXPECT_TRUE(contains(recorder.issues[0].text, "2 of 5 rows; the rest has 60 %"));
}

/// A module with a linear layer in it: aten::linear > python > aten::addmm > launch; the annotation hides nothing.
void add_forward(ReportBuilder& b) {
  b.range("ProfilerStep#1", 0, 1000);
  b.op(OpKind::kAnnotation, "ProfilerStep#1", 0, 1000);
  b.op(OpKind::kPythonFunction, "nn.Module: Net_0", 100, 900, {.python_id = 1, .python_module = 0});
  b.op(OpKind::kPythonFunction, "net.py(3): forward", 110, 890, {.python_id = 2, .python_parent = 1});
  b.op(OpKind::kOperator, "aten::relu", 120, 200);
  b.kernel("relu", 300, 310, {.call = b.call(CallKind::kKernelLaunch, 130, 150)});
  b.op(OpKind::kPythonFunction, "nn.Module: Linear_0", 210, 700,
       {.python_id = 3, .python_parent = 2, .python_module = 7});
  b.op(OpKind::kOperator, "aten::linear", 220, 690);
  b.op(OpKind::kAnnotation, "mine", 230, 600);
  b.op(OpKind::kOperator, "aten::addmm", 240, 500);
  const Row launch = b.call(CallKind::kGraphLaunch, 300, 400);
  b.call(CallKind::kKernelLaunch, 320, 380);  // the driver's call inside the runtime's
  b.kernel("sgemm", 400, 500, {.call = launch});
  b.kernel("sgemm", 500, 560, {.call = launch});
  b.copy(CopyDirection::kDeviceToDevice, 8, 700, 730, {.call = b.call(CallKind::kCopy, 520, 530)});
}

TEST(StepBreakdownOperators, HostAndDeviceTimeOfOperatorsByName) {
  ReportBuilder b;
  add_forward(b);
  const Recorder recorder = analyzed(b.build(), kRules);
  const auto& table = *recorder.table_of("step_operators");
  EXPECT_TRUE(equals(table.column("name")->texts, {"aten::linear", "aten::addmm", "aten::relu"}));
  EXPECT_TRUE(equals(table.column("calls")->integers, {1, 1, 1}));
  EXPECT_TRUE(equals(table.column("device self")->integers, {30, 160, 10}));
  EXPECT_TRUE(equals(table.column("device total")->integers, {190, 160, 10}));
  EXPECT_TRUE(equals(table.column("host total")->integers, {470, 260, 80}));
  EXPECT_TRUE(equals(table.column("host self")->integers, {470 - 260 - 10, 260 - 100, 80 - 20}));
  EXPECT_TRUE(equals(table.column("tensor cores eligible")->texts, {"yes", "yes", "no"}));
  EXPECT_NEAR(*recorder.value("step.eligible_kernel_time_ratio", "uses=no"), 160.0 / 170, 1e-15);
  EXPECT_EQ(recorder.value("step.eligible_kernel_time_ratio", "uses=yes"), 0);
}

TEST(StepBreakdownOperators, AreEligibleByOption) {
  ReportBuilder b;
  add_forward(b);
  OptionInputs options = kRules;
  options.emplace_back("eligible_operators", std::vector<std::string>{"aten::relu"});
  const Recorder recorder = analyzed(b.build(), options);
  EXPECT_TRUE(equals(recorder.table_of("step_operators")->column("tensor cores eligible")->texts, {"no", "no", "yes"}));
  EXPECT_NEAR(*recorder.value("step.eligible_kernel_time_ratio", "uses=unknown"), 10.0 / 170, 1e-15);
}

TEST(StepBreakdownModules, SelfIsWithoutTheModulesInside) {
  ReportBuilder b;
  add_forward(b);
  const Recorder recorder = analyzed(b.build(), kRules);
  const auto& table = *recorder.table_of("step_modules");
  EXPECT_TRUE(equals(table.column("name")->texts, {"nn.Module: Net_0", "nn.Module: Linear_0"}));
  EXPECT_TRUE(equals(table.column("module")->integers, {0, 7}));
  EXPECT_TRUE(equals(table.column("within")->texts, {"", "nn.Module: Net_0"}));
  EXPECT_TRUE(equals(table.column("occurrences")->integers, {1, 1}));
  EXPECT_TRUE(equals(table.column("operators")->integers, {1, 1}));
  EXPECT_TRUE(equals(table.column("host total")->integers, {800, 490}));
  EXPECT_TRUE(equals(table.column("host self")->integers, {310, 490}));
  EXPECT_TRUE(equals(table.column("device total")->integers, {200, 190}));
  EXPECT_TRUE(equals(table.column("device self")->integers, {10, 190}));
}

TEST(StepBreakdownMemory, PeaksAreOfEachDeviceAndItsMemory) {
  ReportBuilder b;
  b.device(0, {.total_memory = 1000});
  b.range("ProfilerStep#1", 0, 100);
  b.allocation(100, 10, {.device = 0, .allocated = 300, .reserved = 400});
  b.allocation(200, 20, {.device = 0, .allocated = 500, .reserved = 800});
  b.allocation(-200, 30, {.device = 0, .allocated = 300, .reserved = 800});
  b.allocation(900, 30, {.device = kNone, .allocated = 900});
  b.allocation(10, 40, {.device = 1, .allocated = 10});
  const Recorder recorder = analyzed(b.build());
  EXPECT_TRUE(has_values(recorder, {{"memory.peak_allocated_bytes{device=0}", 500},
                                    {"memory.peak_reserved_bytes{device=0}", 800},
                                    {"memory.peak_ratio{device=0}", 0.8},
                                    {"memory.peak_allocated_bytes{device=1}", 10}}));
  EXPECT_FALSE(recorder.value("memory.peak_ratio", "device=1"));
  EXPECT_TRUE(contains(*recorder.skip_of("memory.peak_ratio"), "the memory of device 1 is unknown"));
  const auto& table = *recorder.table_of("step_memory");
  EXPECT_TRUE(equals(table.column("device")->integers, {0, 1}));
  EXPECT_TRUE(equals(table.column("peak reserved")->integers, {800, kNoInteger}));
}

TEST(StepBreakdownMemory, AllocationsThatDoNotSayWhatIsInUseHaveNoPeak) {  // as in traces of 2021
  ReportBuilder b;
  b.range("ProfilerStep#1", 0, 100);
  b.allocation(100, 10);
  EXPECT_TRUE(contains(*analyzed(b.build()).skip_of("memory.*"), "no allocation on a device says"));
}

}  // namespace assay::step::step_breakdown_tables_test
