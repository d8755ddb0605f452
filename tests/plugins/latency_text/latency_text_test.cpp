#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::latency::latency_text_test {

using namespace under_test::latency_text;
using namespace testing;

constexpr const char* kSuffix = "_performance_analysis.txt";

Recorder analyzed(ReportBuilder& builder) { return under_test::latency_text::analyzed(builder.build()); }

std::string why_skipped(const Recorder& recorder, std::string_view metric) {
  return recorder.skip_of(metric).value_or("not skipped");
}

void launch(ReportBuilder& b, std::int64_t call_end, std::int64_t start, std::int64_t end, std::int32_t stream) {
  b.kernel("k", start, end, {.stream = stream, .call = b.call(CallKind::kKernelLaunch, call_end - 100, call_end)});
}

/// Host window 0..1'000'000 ns. Stream 7: 100'000..200'000, 150'000..160'000 (inside the first), then gaps from the
/// previous row of 1'000, 1'001 and 150'000 ns. Stream 8: 300'000..310'000 on another device.
void example(ReportBuilder& b) {
  b.window("w", {0, 1'200'000}, Interval{0, 1'000'000});
  launch(b, 90'000, 100'000, 200'000, 7);
  launch(b, 155'000, 150'000, 160'000, 7);  // starts before its call ends; gap of -50'000
  launch(b, 100'000, 161'000, 170'000, 7);  // 1'000 after the previous row: not over 1 us
  launch(b, 100'000, 171'001, 180'000, 7);  // 1'001
  launch(b, 100'000, 330'000, 400'000, 7);  // 150'000
  b.kernel("k", 300'000, 310'000, {.device = 1, .stream = 8, .call = b.call(CallKind::kKernelLaunch, 0, 10'000)});
  b.kernel("unlinked", 500'000, 600'000, {.stream = 7});  // a kernel, but not of the pipeline
  launch(b, 100'000, 950'000, 1'000'001, 7);              // ends outside: no row at all
  b.copy(CopyDirection::kHostToDevice, 1 << 20, 0, 1'000, {.stream = 9});
  b.copy(CopyDirection::kDeviceToHost, 1 << 21, 700'000, 701'000, {.stream = 9});
  b.copy(CopyDirection::kDeviceToDevice, 64, 710'000, 710'000, {.stream = 10});
  b.set(64, 720'000, 722'000, {.stream = 9});
}

TEST(LatencyText, LeavesOutTheSizeOfACopyWithoutOne) {
  ReportBuilder b;
  example(b);
  b.copy(CopyDirection::kHostToDevice, kNone, 2'000, 3'000, {.stream = 9});
  const Recorder recorder = analyzed(b);
  EXPECT_FALSE(recorder.value("seed.h2d_bandwidth_mib_per_s"));
  EXPECT_TRUE(contains(why_skipped(recorder, "seed.h2d_bandwidth_mib_per_s"), "not every copy"));
  EXPECT_DOUBLE_EQ(*recorder.value("seed.d2h_bandwidth_mib_per_s"), 2'000'000);
}

TEST(LatencyText, FollowsThePublishedDefinitions) {
  ReportBuilder b;
  example(b);
  const auto r = analyzed(b);
  const double kernels = 100'000 + 10'000 + 9'000 + 8'999 + 70'000 + 10'000;
  EXPECT_TRUE(has_values(r, {{"seed.window_duration_ns", 1'000'000},
                             {"seed.kernel_count", 7},
                             {"seed.kernel_time_sum_ns", kernels + 100'000},
                             {"seed.compute_utilization", (kernels + 100'000) / 500'000},
                             {"seed.total_operations", 11},
                             {"seed.active_streams", 4},
                             {"seed.temporal_compression_ratio", (kernels + 100'000 + 1'000 + 1'000 + 2'000) / 722'000},
                             {"seed.total_gaps", 5},
                             {"seed.significant_gaps", 2},
                             {"seed.large_gaps", 1},
                             {"seed.very_large_gaps", 1},
                             {"seed.pipeline_efficiency", 1 - 151'001.0 / 300'000}}));
  const double preparation = 10'000 - 5'000 + 61'000 + 71'001 + 230'000 + 290'000;
  EXPECT_DOUBLE_EQ(*r.value("seed.preparation_time_us"), preparation / 6 / 1000);
  EXPECT_DOUBLE_EQ(*r.value("seed.h2d_bandwidth_mib_per_s"), 1e6);
  EXPECT_DOUBLE_EQ(*r.value("seed.d2h_bandwidth_mib_per_s"), 2e6);
  const double stream7 = (kernels - 10'000 + 100'000) / 500'000, stream9 = 4'000.0 / 722'000;
  EXPECT_DOUBLE_EQ(*r.value("seed.average_stream_utilization"), (stream7 + 1 + stream9) / 3)
      << "stream 10 has no length";
}

TEST(LatencyText, GivesWhatOnlyTheTextShows) {
  ReportBuilder b;
  example(b);
  const auto r = analyzed(b);
  EXPECT_EQ(r.attribute_of("seed_window"), "w");
  EXPECT_EQ(r.value("seed.window_start_ns"), 0);
  EXPECT_EQ(r.value("seed.copy_bytes", "direction=h2d"), 1 << 20);
  EXPECT_TRUE(has_values(r, {{"seed.copy_count{direction=other_8}", 1},
                             {"seed.copy_time_sum_ns{direction=other_8}", 0},
                             {"seed.kernel_time_min_ns", 8'999},
                             {"seed.kernel_time_max_ns", 100'000},
                             {"seed.kernel_timeline_ns", 500'000},
                             {"seed.significant_gap_time_ns", 151'001}}));
  EXPECT_DOUBLE_EQ(*r.value("seed.average_gap_ns"), 152'001.0 / 3) << "over gaps above 0";
  EXPECT_TRUE(has_values(r, {{"seed.max_gap_ns", 150'000}, {"seed.timeline_ns", 722'000}}));
}

TEST(LatencyText, ReportsWithoutKernelsHaveNone) {
  ReportBuilder b;
  b.copy(CopyDirection::kHostToDevice, 8, 0, 10);
  const auto r = analyzed(b);
  EXPECT_FALSE(r.value("seed.window_duration_ns"));
  EXPECT_TRUE(contains(why_skipped(r, "seed.*"), "no kernel rows"));
}

TEST(LatencyText, OneKernelOfNoLengthHasNoRatio) {
  ReportBuilder b;
  launch(b, 50, 100, 100, 7);
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("seed.total_gaps"), 0);
  EXPECT_FALSE(r.value("seed.pipeline_efficiency").has_value());
  EXPECT_FALSE(r.value("seed.compute_utilization").has_value());
}

/// The report of which the published layout's own example is printed.
StudyBuilder::ReportEntry& published(StudyBuilder& study, const std::string& path, StudyBuilder::LabelValues labels) {
  StudyBuilder::ReportEntry& report = study.report(path, std::move(labels));
  report.attribute("seed_window", "test_double_buffer");
  const std::pair<const char*, double> facts[] = {{"seed.window_start_ns", 1000000},
                                                  {"seed.window_duration_ns", 1000000},
                                                  {"seed.kernel_count", 6},
                                                  {"seed.kernel_time_sum_ns", 700000},
                                                  {"seed.kernel_time_min_ns", 100000},
                                                  {"seed.kernel_time_max_ns", 200000},
                                                  {"seed.kernel_timeline_ns", 725000},
                                                  {"seed.compute_utilization", 0.965},
                                                  {"seed.timeline_ns", 725000},
                                                  {"seed.operation_time_sum_ns", 784450},
                                                  {"seed.temporal_compression_ratio", 1.082},
                                                  {"seed.total_operations", 10},
                                                  {"seed.active_streams", 4},
                                                  {"seed.average_stream_utilization", 0.869},
                                                  {"gpu.kernel_busy_ratio", 0.7}};
  for (const auto& [metric, value] : facts) report.fact(metric, value);
  const auto copies = [&](const char* dims, double count, double bytes, double each_ns) {
    report.fact("seed.copy_count", count, dims).fact("seed.copy_bytes", bytes, dims);
    report.fact("seed.copy_time_sum_ns", count * each_ns, dims);
    report.fact("seed.copy_time_min_ns", each_ns, dims).fact("seed.copy_time_max_ns", each_ns, dims);
  };
  copies("direction=d2h", 1, 602112, 28000);
  copies("direction=other_8", 2, 2097152, 1e6);
  return report;
}

std::string text_of(const Recorder& recorder, Row report = 0) {
  const std::string* text = recorder.text_file_of(report, kSuffix);
  return text == nullptr ? "no text" : *text;
}

TEST(LatencyText, FollowsThePublishedLayout) {
  StudyBuilder study;
  for (const char* name : {"gpu", "patch", "depth", "dim"}) study.label(name);
  published(study, "rq1/gpu0_numa0_vit32x6x384.sqlite",
            {{"gpu", "0"}, {"patch", "32"}, {"depth", "6"}, {"dim", "384"}});
  const std::string rule20 = std::string(20, '-') + "\n", rule30 = std::string(30, '-') + "\n";
  EXPECT_EQ(
      text_of(concluded(study.build())),
      "CUPTI Performance Analysis - Configuration: gpu0_numa0_vit32x6x384\n" + std::string(80, '=') + "\n" +
          "CONFIGURATION\n" + rule20 +
          "GPU ID: 0\nNUMA Node: unknown\nTest Type: ViT Pipeline\nViT Patch Size: 32\nViT Depth: 6\nViT Dimension: "
          "384\n\n"
          "ANALYSIS SCOPE\n" +
          rule20 +
          "Scope: test_double_buffer period only\nTime range: 1000000 - 2000000 ns\nDuration: 1.00 ms\n\n"
          "MEMORY TRANSFER PERFORMANCE\n" +
          rule30 +
          "Device-to-Host (D2H) Transfers:\n  Count: 1\n  Total bytes: 0.57 MB\n  Total time: 0.03 ms (28.00 μs)\n"
          "  Average bandwidth: 20507.81 MB/s\n  Average duration: 28.00 μs\n  Duration range: 28.00 - 28.00 μs\n\n"
          "Other 8 Transfers:\n  Count: 2\n  Total bytes: 2.00 MB\n  Total time: 2.00 ms\n"
          "  Average bandwidth: 1000.00 MB/s\n  Average duration: 1000.00 μs\n  Duration range: 1000.00 - 1000.00 "
          "μs\n\n"
          "COMPUTE PERFORMANCE\n" +
          rule20 +
          "Total kernels: 6\nTotal compute time: 0.70 ms (700.00 μs)\nAverage kernel duration: 0.12 ms (116.67 μs)\n"
          "Kernel duration range: 0.10 - 0.20 ms (100.00 - 200.00 μs)\nCompute timeline: 0.72 ms (725.00 μs)\n"
          "Compute utilization: 0.965 (96.5%)\n\n"
          "TEMPORAL COMPRESSION ANALYSIS\n" +
          rule30 +
          "Timeline duration: 0.72 ms (725.00 μs)\nTotal operation time (sequential): 0.78 ms (784.45 μs)\n"
          "Time saved through overlapping: 0.06 ms (59.45 μs)\nTemporal compression ratio: 1.082 (108.2%)\n"
          "Total operations: 10\nActive streams: 4\nAverage stream utilization: 0.869 (86.9%)\n\n"
          "CORRECTED\n" +
          rule20 +
          "Kernel busy: 0.700 (70.0% of the window)\n"
          "  Union of kernel and graph-launch time over the window; compute utilization above adds up overlapping "
          "kernels, "
          "leaves graph launches out and divides by first start to last end.\n\n");
}

TEST(LatencyText, SaysWhatThePipelineDidAndWarnsOfOddTimes) {
  StudyBuilder study;
  published(study, "a.sqlite", {})
      .fact("seed.total_gaps", 5)
      .fact("seed.significant_gaps", 3)
      .fact("seed.large_gaps", 2)
      .fact("seed.very_large_gaps", 1)
      .fact("seed.significant_gap_time_ns", 225000)
      .fact("seed.average_gap_ns", 56375)
      .fact("seed.max_gap_ns", 0)
      .fact("seed.preparation_time_us", 50001)
      .fact("seed.pipeline_time_sum_ns", 700000)
      .fact("seed.pipeline_timeline_ns", 725000)
      .fact("seed.pipeline_efficiency", 0.69);
  EXPECT_TRUE(
      contains(text_of(concluded(study.build())),
               "Pipeline kernels: 6\nAverage preparation time: 50001.00 μs\nAverage execution time: 0.12 ms (116.67 "
               "μs)\nTotal compute time: 0.70 ms (700.00 μs)\nTotal timeline: 0.72 ms (725.00 μs)\nPipeline "
               "efficiency: 0.690 (69.0%)\n\nGap Statistics:\n  Total gaps: 5\n  Significant gaps (>1μs): 3\n"
               "  Large gaps (>10μs): 2\n  Very large gaps (>100μs): 1\n  Total significant gap time: 0.23 ms (225.00 "
               "μs)\n  Average gap: 56.38 μs\n\nWarning: High preparation time (50001.00 μs) may indicate timing "
               "issues.\n\n"));
}

TEST(LatencyText, TheHeaderShowsTheLabelsThatOptionsName) {
  StudyBuilder study;
  study.label("device").label("depth");
  published(study, "a.sqlite", {{"device", "3"}, {"depth", "0"}});
  EXPECT_TRUE(contains_all(text_of(concluded(study.build(), {{"gpu_label", "device"}})),
                           {"GPU ID: 3\n", "\nTest Type: Memory Transfer Only\n\n"}));
  const OptionInputs others = {{"numa_label", "device"}, {"patch_label", "device"}, {"dim_label", "device"}};
  EXPECT_TRUE(contains_all(text_of(concluded(study.build(), others)), {"\nNUMA Node: 3\n"}));
  EXPECT_TRUE(contains_all(text_of(concluded(study.build(), {{"depth_label", "layers"}})),
                           {"GPU ID: unknown\nNUMA Node: unknown\n", "\nTest Type: unknown\n\n"}));
}

TEST(LatencyText, AReportWithoutKernelsGetsTheErrorForm) {
  StudyBuilder study;
  study.report("deep/x.sqlite").fact("gpu.busy_ratio", 0.5);
  study.noise_report("noise.sqlite").fact("gpu.busy_ratio", 0.5);
  const Recorder recorder = concluded(study.build());
  ASSERT_EQ(recorder.text_files.size(), 1U) << "reports of the noise get none";
  EXPECT_EQ(text_of(recorder),
            "Analysis Error - Configuration: x\n" + std::string(50, '=') + "\nError: Missing required CUPTI tables\n");
}

}  // namespace assay::latency::latency_text_test
