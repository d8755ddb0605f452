// Public and own traces: the numbers that the TensorBoard plugin printed for them, and sums that must hold in all.
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "plugins/step_breakdown/emit.hpp"
#include "support/test.hpp"

namespace assay::step::step_breakdown_real_test {

using namespace under_test::step_breakdown;
using namespace testing;

/// Columns of the check values as printed: times in us, shares without unit.
struct PrintedSplit {
  const char* file;
  std::array<const char*, 8> times;  ///< step, then kernel, memcpy, memset, runtime, dataloader, CPU, other
  const char *utilization, *sm_efficiency, *occupancy;
  std::int64_t kernels, kernel_time;  ///< us
  friend void PrintTo(const PrintedSplit& printed, std::ostream* to) { *to << printed.file; }
};

constexpr PrintedSplit kPrinted[] = {
    {"kineto_resnet50_nw0_2021_b",
     {"177592.167", "98588.667", "1915.333", "89.000", "2907.500", "59261.833", "13674.167", "1155.667"},
     "0.555141",
     "0.546790",
     "49.128005",
     8772,
     591532},
    {"kineto_resnet50_nw4_2021",
     {"141068", "99145", "3160", "98", "10564", "1186", "22665", "4251"},
     "0.702703",
     "0.692250",
     "48.909891",
     8868,
     594868},
};

/// With as many digits after the point as `like` has.
std::string printed_like(const std::string& like, double value) {
  const std::size_t point = like.find('.');
  const int digits = point == std::string::npos ? 0 : static_cast<int>(like.size() - point - 1);
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

class CheckValues : public ::testing::TestWithParam<PrintedSplit> {};

TEST_P(CheckValues, AreMetToThePrintedDigits) {
  const PrintedSplit& p = GetParam();
  const auto file = data_file("public", "torch/" + std::string(p.file) + ".pt.trace.json.gz");
  if (!file || !std::filesystem::exists(*file)) GTEST_SKIP() << "ASSAY_DATA has no public/torch/" << p.file;
  const RealReport real(descriptor, *file, "", "");
  const Recorder recorder = analyzed(real.report());
  constexpr const char* kNames[] = {"kernel", "memcpy", "memset", "runtime", "dataloader", "cpu_exec", "other"};
  EXPECT_EQ(printed_like(p.times[0], *recorder.value("step.time_ns") / 1e3), p.times[0]);
  for (std::size_t c = 0; c < std::size(kNames); ++c) {
    const auto time = recorder.value("step.category_time_ns", "category=" + std::string(kNames[c]));
    EXPECT_EQ(printed_like(p.times[c + 1], *time / 1e3), p.times[c + 1]) << kNames[c];
  }
  EXPECT_EQ(recorder.value("step.category_time_ns", "category=communication"), 0);
  EXPECT_EQ(printed_like(p.utilization, *recorder.value("gpu.utilization_ratio")), p.utilization);
  EXPECT_EQ(printed_like(p.sm_efficiency, *recorder.value("gpu.sm_efficiency_ratio")), p.sm_efficiency);
  EXPECT_EQ(printed_like(p.occupancy, 100 * *recorder.value("gpu.achieved_occupancy_ratio")), p.occupancy);
  const auto& kernels = *recorder.table_of("step_kernels");
  std::int64_t calls = 0, total = 0;
  for (const std::int64_t n : kernels.column("calls")->integers) calls += n;
  for (const std::int64_t t : kernels.column("total")->integers) total += t;
  EXPECT_EQ(calls, p.kernels);
  EXPECT_EQ(total, p.kernel_time * 1000);
}

INSTANTIATE_TEST_SUITE_P(StepBreakdown, CheckValues, ::testing::ValuesIn(kPrinted),
                         [](const auto& values) { return std::string(values.param.file); });

/// All traces there are, of every folder that the environment names.
std::vector<std::filesystem::path> all_traces() {
  std::vector<std::filesystem::path> out;
  for (const char* variable : {"examples", "public", "h200"}) {
    const auto folder = data_file(variable, "torch");
    if (!folder || !std::filesystem::exists(*folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".json.gz") || name.ends_with(".json")) out.push_back(entry.path());
    }
  }
  return out;
}

TEST(StepBreakdownReal, EveryStepOfEveryTraceIsTheSumOfItsPartsInNanoseconds) {
  const auto traces = all_traces();
  if (traces.empty()) GTEST_SKIP() << "none of ASSAY_EXAMPLES, ASSAY_DATA/public, ASSAY_DATA/h200 has traces";
  for (const auto& file : traces) {
    SCOPED_TRACE(file.string());
    const RealReport real(descriptor, file, "", "");
    const Recorder recorder = analyzed(real.report());
    const auto& steps = *recorder.table_of("step_split");
    const auto& times = steps.column("time")->integers;
    const auto count = static_cast<std::size_t>(*recorder.value("step.count"));
    ASSERT_GE(count, 1U);
    for (std::size_t s = 0; s < count; ++s) {
      std::int64_t sum = 0;
      for (const std::string_view title : kCategoryTitles) sum += steps.column(title)->integers[s];
      EXPECT_EQ(sum, times[s]) << "step " << s;
      EXPECT_GT(times[s], 0);
    }
    const auto* kernels = recorder.table_of("step_kernels");
    EXPECT_EQ(kernels == nullptr, real.report().kernels == nullptr);
    EXPECT_EQ(recorder.value("gpu.utilization_ratio").has_value(), real.report().kernels != nullptr);
  }
}

/// Blocks that a multiprocessor can hold, which traces do not say: by NVIDIA's programming guide 32 on 7.0, 8.0
/// and 9.0.
constexpr std::int32_t kBlocks = 32;

TEST(StepBreakdownReal, ComputedOccupancyIsTheProfilersOwn) {
  const auto traces = all_traces();
  std::size_t compared = 0;
  for (const auto& file : traces) {
    SCOPED_TRACE(file.string());
    const RealReport real(descriptor, file, "", "");
    Report without = real.report();
    if (without.kernels == nullptr || without.devices->max_registers_per_sm[0] == kNone) continue;
    KernelTable kernels = *without.kernels;
    kernels.occupancy = {};
    kernels.blocks_per_sm = {};
    DeviceTable devices = *without.devices;
    const std::vector<std::int32_t> blocks(devices.rows, kBlocks);
    devices.max_blocks_per_sm = {blocks.data(), blocks.size()};
    without.kernels = &kernels;
    without.devices = &devices;
    const std::vector<KernelFill> said = kernel_fill(real.report()), computed = kernel_fill(without);
    for (std::size_t k = 0; k < said.size(); ++k) {
      if (said[k].occupancy_origin != Origin::kProfiler) continue;
      ASSERT_EQ(computed[k].occupancy_origin, Origin::kComputed) << "kernel " << k;
      ASSERT_NEAR(computed[k].blocks_per_sm, said[k].blocks_per_sm, 0.005 + 1e-6 * said[k].blocks_per_sm);
      if (said[k].impossible) {
        ASSERT_EQ(said[k].occupancy, 0);
        ASSERT_GT(real.report().kernels->shared_a_block[k], 48 * 1024) << "what kineto's own calculation refuses";
        ASSERT_NEAR(said[k].corrected, computed[k].occupancy, 1e-6);
        continue;
      }
      ASSERT_NEAR(100 * computed[k].occupancy, 100 * said[k].occupancy, 0.5 + 1e-4)
          << "kernel " << k << ": the profiler rounds to whole per cents";
      ++compared;
    }
  }
  if (compared == 0) GTEST_SKIP() << "no traces with occupancy";
  EXPECT_GT(compared, 1000U);
}

TEST(StepBreakdownReal, AnNsysExportHasStepsByItsRangesAndComputedOccupancy) {
  const auto file = data_file("examples", "transformer/small_forward_ctx512.sqlite");
  if (!file || !std::filesystem::exists(*file)) GTEST_SKIP() << "ASSAY_EXAMPLES is not set: no bundled reports";
  const RealReport real(descriptor, *file, "", "step_{i}");
  const Recorder recorder = analyzed(real.report());
  EXPECT_EQ(recorder.value("step.count"), 10);
  EXPECT_EQ(*recorder.attribute_of("step.source"), "named");
  EXPECT_EQ(*recorder.attribute_of("gpu.occupancy_source"), "computed");
  EXPECT_GT(*recorder.value("gpu.achieved_occupancy_ratio"), 0.01);
  EXPECT_LE(*recorder.value("gpu.achieved_occupancy_ratio"), 1);
  EXPECT_GT(*recorder.value("step.category_time_ns", "category=kernel"), 0);
}

}  // namespace assay::step::step_breakdown_real_test
