// gpu_metrics over made-up samples, and on a real profile against what SQL gave.
#include "plugins/analyzers.hpp"
#include "plugins/real_report.hpp"
#include "support/test.hpp"

namespace assay {
namespace gpu_metrics_test {

using testing::data_file;
using testing::RealReport;
using testing::ReportBuilder;
using under_test::gpu_metrics::analyzed;
using under_test::gpu_metrics::descriptor;

DeclaredColumn column(Str name, const std::vector<std::int64_t>& cells) {
  DeclaredColumn out;
  out.name = name;
  out.cells = cells.data();
  return out;
}

/// Samples every 100 ns from 100 on, of GPU 0.
struct Samples {
  std::vector<std::int64_t> time, device, sms, clock;
  std::vector<DeclaredColumn> columns;
  DeclaredTable table;
  const DeclaredTable* listed = nullptr;

  void add(std::int64_t value, std::int64_t hertz = 1'980'000'000) {
    time.push_back(100 * (static_cast<std::int64_t>(time.size()) + 1));
    device.push_back(0);
    sms.push_back(value);
    clock.push_back(hertz);
  }
  Report with(const Report& of) {
    columns = {column("time", time), column("device", device), column("sms_active", sms), column("gpc_clock", clock)};
    table.rows = time.size();
    table.name = "gpu_metrics";
    table.columns = columns;
    listed = &table;
    Report report = of;
    report.declared = {&listed, 1};
    return report;
  }
};

std::optional<double> sms(const testing::Recorder& r, std::string_view dims) {
  return r.value("gpu_metrics.sms_active_ratio", dims);
}

TEST(GpuMetrics, AreMeansOfTheSamplesWithinTheWorkOfARange) {
  ReportBuilder b;
  b.window("w", {0, 3000});
  b.range("busy", 0, 120);
  b.range("short", 1200, 1220);
  b.kernel("gemm", 100, 1000, {.call = b.call(CallKind::kKernelLaunch, 10, 20)});
  b.kernel("tiny", 1300, 1650, {.call = b.call(CallKind::kKernelLaunch, 1205, 1210)});
  Samples samples;
  for (int i = 1; i <= 20; ++i) samples.add(i <= 10 ? 90 : 10);
  const testing::Recorder r = analyzed(samples.with(b.build()));
  EXPECT_NEAR(sms(r, "path=busy").value_or(0), 0.9, 1e-12);
  EXPECT_TRUE(has_values(r, {{"gpu_metrics.samples{path=busy}", 10}, {"gpu_metrics.samples{path=short}", 4}}));
  EXPECT_EQ(sms(r, "path=short"), std::nullopt) << "four samples are too few";
  EXPECT_NEAR(sms(r, "").value_or(0), (10 * 90 + 6 * 10) / 1600.0, 1e-12);
  EXPECT_EQ(r.value("gpu.sm_active_ratio", ""), sms(r, ""));
  EXPECT_EQ(r.value("gpu_metrics.tensor_active_ratio", ""), std::nullopt) << "what was not sampled is not 0";
}

TEST(GpuMetrics, CountOnlyFilledSamplesPerClass) {
  ReportBuilder b;
  b.window("w", {0, 3000});
  b.kernel("gemm", 0, 700);
  b.kernel("tiny", 740, 790);
  b.kernel("gemm", 800, 960);
  Samples samples;
  for (int i = 1; i <= 12; ++i) samples.add(i == 8 ? 50 : 90, i <= 10 ? 1'500'000'000 : 1'980'000'000);
  const testing::Recorder r =
      analyzed(samples.with(b.build()), {{"rules", std::vector<std::string>{"matmul: gemm", "other: tiny"}}});
  EXPECT_EQ(r.value("gpu_metrics.samples", "class=matmul"), 8) << "100 to 700 and 900; 1000 is six tenths its own";
  EXPECT_EQ(sms(r, "class=other"), std::nullopt);
  EXPECT_NEAR(r.value("gpu_metrics.gpc_clock_hz", "class=matmul").value_or(0), 1.5e9, 1);
}

TEST(GpuMetrics, WithoutSamplesHaveNoFacts) {
  ReportBuilder b;
  b.kernel("k", 0, 100);
  EXPECT_TRUE(analyzed(b.build()).facts.empty());
}

/// As SQL averages the samples between the first and the last kernel or copy of each range.
TEST(GpuMetrics, EqualSqlOnARealProfile) {
  ASSAY_REAL_FILE(file, "serve", "gpu_metrics.sqlite");
  const RealReport report(descriptor, *file, "", "");
  const testing::Recorder r = analyzed(report.report(), {{"rules", std::vector<std::string>{"matmul: nvjet"}}});
  const auto is = [&](const char* metric, const char* dims, double expected, double error) {
    EXPECT_NEAR(r.value(metric, dims).value_or(-1), expected, error) << metric << " " << dims;
  };
  is("gpu_metrics.sms_active_ratio", "class=matmul", 0.9641, 2e-4);
  is("gpu_metrics.tensor_active_ratio", "class=matmul", 0.9359, 2e-4);
  is("gpu_metrics.dram_read_ratio", "class=matmul", 0.2361, 2e-4);
  is("gpu_metrics.gpc_clock_hz", "class=matmul", 1.5085e9, 1e6);
  is("gpu_metrics.dram_read_ratio", "path=copy", 0.450258, 1e-6);
  is("gpu_metrics.dram_write_ratio", "path=copy", 0.450258, 1e-6);
  is("gpu_metrics.tensor_active_ratio", "path=copy", 0, 0);
  is("gpu_metrics.gpc_clock_hz", "path=copy", 1.862891361e9, 1e3);
  ASSERT_FALSE(r.attributes.empty());
}

}  // namespace gpu_metrics_test
}  // namespace assay
