// Kernels in the roofline by their counters: made launches of known numbers, and the operators on an H100 against the
// sums of the reference.
#include "assay/algo/counted.hpp"
#include "plugins/analyzers.hpp"
#include "plugins/kernel_bound/bounds.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay::bound::kernel_bound_roofline_test {

using namespace under_test::kernel_bound;
using namespace testing;

/// The device of the made launches: 1e14 FLOP/s of bf16, 1e12 bytes/s.
void add_device(ReportBuilder& b, Row launch, double clock = 244140625) {
  b.counter(launch, "device__attribute_compute_capability_major", 9);
  b.counter(launch, "device__attribute_compute_capability_minor", 0);
  b.counter(launch, "device__attribute_multiprocessor_count", 100);
  b.counter(launch, "sm__cycles_elapsed.avg.per_second", clock, {.unit = "hz"});
  b.counter(launch, "dram__bytes.sum.peak_sustained", 1000, {.unit = "byte/cycle"});
  b.counter(launch, "dram__cycles_elapsed.avg.per_second", 1e9, {.unit = "hz"});
}

Row gemm(ReportBuilder& b, const std::string& name, double clock = 244140625) {
  const Row row = b.profiled(name);
  add_device(b, row, clock);
  b.counter(row, "gpu__time_duration.sum", 20000, {.unit = "ns"});
  b.counter(row, "sm__ops_path_tensor_src_bf16_dst_fp32.sum", 1e9);
  b.counter(row, "sm__ops_path_tensor_src_bf16_dst_fp32_sparsity_on.sum", 5e9);
  b.counter(row, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1e6, {.unit = "inst"});
  b.counter(row, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 3e6, {.unit = "inst"});
  b.counter(row, "dram__bytes_read.sum", 4e6, {.unit = "byte"});
  b.counter(row, "dram__bytes_write.sum", 1e6, {.unit = "byte"});
  b.counter(row, "lts__t_sectors.sum", 1e6, {.unit = "sector"});
  return row;
}

TEST(KernelRoofline, FlopsBytesAndTheLeastTime) {
  ReportBuilder b;
  gemm(b, "gemm");
  const Recorder r = analyzed(b.build());
  EXPECT_DOUBLE_EQ(*r.value("ncu.flops", "kernel=gemm"), 1e9 + 2 * 1e6 + 3e6);
  EXPECT_DOUBLE_EQ(*r.value("ncu.dram_bytes", "kernel=gemm"), 5e6);
  EXPECT_DOUBLE_EQ(*r.value("ncu.l2_bytes", "kernel=gemm"), 32e6);
  EXPECT_DOUBLE_EQ(*r.value("ncu.roof_flops_per_s", "type=fp16"), 1e14)
      << "dense, whatever Nsight Compute calls the peak";
  EXPECT_DOUBLE_EQ(*r.value("ncu.roof_bytes_per_s"), 1e12);
  EXPECT_DOUBLE_EQ(*r.value("ncu.roof_ratio", "kernel=gemm"), 0.5) << "10 us of FLOPs, 5 of bytes, 20 measured";
  EXPECT_DOUBLE_EQ(*r.value("ncu.roof_ratio"), 0.5);
}

TEST(KernelRoofline, EachLaunchCountsByItsOwnClock) {
  ReportBuilder b;
  gemm(b, "fast");
  gemm(b, "slow", 244140625 / 2.0);
  const Recorder r = analyzed(b.build());
  EXPECT_DOUBLE_EQ(*r.value("ncu.roof_ratio", "kernel=fast"), 0.5);
  EXPECT_DOUBLE_EQ(*r.value("ncu.roof_ratio", "kernel=slow"), 1) << "half the clock, the same time";
}

TEST(KernelRoofline, IsUnknownWithoutCounters) {
  ReportBuilder b;
  const Row half = b.profiled("no_matrix_counters");  // tensor cores may have run
  add_device(b, half);
  b.counter(half, "gpu__time_duration.sum", 1000, {.unit = "ns"});
  b.counter(half, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1e6, {.unit = "inst"});
  b.counter(half, "dram__bytes_read.sum", 4e6, {.unit = "byte"});
  const Row plain = b.profiled("no_tensor_instructions");
  add_device(b, plain);
  b.counter(plain, "gpu__time_duration.sum", 1000, {.unit = "ns"});
  b.counter(plain, "sm__inst_executed_pipe_tensor.sum", 0, {.unit = "inst"});
  b.counter(plain, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1e6, {.unit = "inst"});
  b.counter(plain, "dram__bytes.sum.per_second", 5e11, {.unit = "byte/s"});
  const Row int4 = gemm(b, "int4");
  b.counter(int4, "sm__ops_path_tensor_src_int4.sum", 1e9);
  const Recorder r = analyzed(b.build());
  EXPECT_FALSE(r.value("ncu.flops", "kernel=no_matrix_counters"));
  EXPECT_FALSE(r.value("ncu.dram_bytes", "kernel=no_matrix_counters")) << "what was written is missing";
  EXPECT_FALSE(r.value("ncu.l2_bytes", "kernel=no_matrix_counters"));
  EXPECT_FALSE(r.value("ncu.roof_ratio", "kernel=no_matrix_counters"));
  EXPECT_DOUBLE_EQ(*r.value("ncu.flops", "kernel=no_tensor_instructions"), 2e6);
  EXPECT_DOUBLE_EQ(*r.value("ncu.dram_bytes", "kernel=no_tensor_instructions"), 5e5) << "by the rate";
  EXPECT_DOUBLE_EQ(*r.value("ncu.flops", "kernel=int4"), 2e9 + 5e6);
  EXPECT_FALSE(r.value("ncu.roof_ratio", "kernel=int4")) << "no rate of int4 is known";
}

TEST(KernelRoofline, OnePointPerKernelUnderItsRoofs) {
  StudyBuilder s;
  auto& report = s.report("a.ncu-rep");
  report.fact("kernel.bound_time_ratio", 1, "bound=compute");
  report.fact("ncu.flops", 1e9, "kernel=gemm").fact("ncu.dram_bytes", 5e6, "kernel=gemm");
  report.fact("ncu.duration_ns", 20000, "kernel=gemm").fact("ncu.roof_ratio", 0.5, "kernel=gemm");
  report.fact("ncu.flops", 1e6, "kernel=bare").fact("ncu.duration_ns", 10, "kernel=bare");  // no bytes: no point
  report.fact("ncu.roof_flops_per_s", 1e14, "type=fp16").fact("ncu.roof_bytes_per_s", 1e12);
  const Recorder r = concluded(s.build());
  ASSERT_EQ(r.plots.size(), 1U);
  EXPECT_EQ(r.plots[0].id, "kernel_roofline");
  ASSERT_EQ(r.plots[0].layers.size(), 2U) << "points and the one roof that is known";
  const auto& points = r.plots[0].layers[0].data;
  ASSERT_EQ(points.column("intensity")->numbers, std::vector<double>{200});
  EXPECT_DOUBLE_EQ(points.column("rate")->numbers.at(0), 5e13);
  EXPECT_EQ(points.column("bound")->texts.at(0), "compute");
}

struct CaseSums {
  double matrix = 0, core = 0, dram = 0;
};

/// Columns of the reference by name, so that another order does not matter.
std::map<std::string, CaseSums> reference() {
  std::map<std::string, CaseSums> out;
  const auto file = data_file("reference", "ops_h100.tsv");
  if (!file) return out;
  std::ifstream in(*file);
  std::string line;
  std::vector<std::string> names;
  while (std::getline(in, line)) {
    std::stringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
    if (names.empty()) {
      names = row;
      continue;
    }
    const auto of = [&](const char* name) {
      return std::stod(row.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())));
    };
    out[row[0]] = {of("tensor_ops"), of("sass_flops"), of("dram_read_bytes") + of("dram_write_bytes")};
  }
  return out;
}

// Nsight Compute renamed each kernel "CASE/KERNEL" by the range around it.
TEST(KernelRooflineReal, SumsOfEachCaseAreThoseOfTheReference) {
  const auto csv = data_file("ops", "ops_roofline.ncu.raw.csv");
  const auto expected = reference();
  if (!csv || expected.empty()) GTEST_SKIP() << "ASSAY_DATA/ops or ASSAY_DATA/reference is not set";
  const RealReport real(descriptor, *csv, "", "");
  const Report& report = real.report();
  std::map<std::string, CaseSums> sums;
  const auto means = roofline::counted_by_group(report);
  for (std::size_t p = 0; p < report.profiled->rows; ++p) {
    const std::string_view name = report.string(report.profiled->name[p]);
    const roofline::LaunchCounters& mean = means.at(report.profiled->group[p]);
    ASSERT_TRUE(mean.has_flops && mean.has_bytes && mean.has_l2) << name;
    // The thread of autograd has no range around it; one case has a backward.
    const std::size_t end = name.find('/');
    const std::string of(end == std::string_view::npos ? "sdpa_flash_fwd_bwd_1024" : name.substr(0, end));
    CaseSums& sum = sums[of];
    sum.matrix += mean.matrix_ops();
    sum.core += mean.flops() - mean.matrix_ops();
    sum.dram += mean.dram_bytes;
  }
  EXPECT_EQ(sums.size(), expected.size());
  for (const auto& [name, sum] : expected) {
    ASSERT_TRUE(sums.contains(name)) << name;
    EXPECT_NEAR(sums.at(name).matrix, sum.matrix, 1e-9 * sum.matrix) << name;
    EXPECT_NEAR(sums.at(name).core, sum.core, 1e-4 * sum.core + 1) << name;
    // Launches of one kernel and shape are a mean over two cases here and there.
    EXPECT_NEAR(sums.at(name).dram, sum.dram, 2e-3 * sum.dram) << name;
  }
}

// Of a product the busiest unit of the SMs are its matrix units, so that both shares of the peak are one.
TEST(KernelRooflineReal, TheRoofIsTheThroughputThatNsightComputeSays) {
  ASSAY_REAL_FILE(file, "ops", "ops_full.ncu-rep");
  const RealReport real(descriptor, *file, "", "");
  const Bounds bounds = measure_bounds(real.report(), NameRules({}), NameRules({}), 0.6, "");
  EXPECT_EQ(bounds.peaks.architecture, "sm_90");
  EXPECT_NEAR(bounds.peaks.bytes_per_s, 3352e9, 5e9);
  std::size_t products = 0;
  for (const BoundRow& row : bounds.rows) {
    ASSERT_TRUE(row.flops() && row.dram_bytes() && row.l2_bytes() && row.roof_share()) << row.kernel;
    EXPECT_GE(*row.l2_bytes(), 0.5 * *row.dram_bytes()) << row.kernel;
    if (row.bounds.share(Bound::kCompute) < 1 || row.counted.matrix_ops() <= 0) continue;
    EXPECT_NEAR(*row.roof_share(), *row.speed.compute, 0.03) << row.kernel;
    ++products;
  }
  EXPECT_GE(products, 5U);
}

}  // namespace assay::bound::kernel_bound_roofline_test
