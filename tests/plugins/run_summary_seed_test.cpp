#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "run_summary_fixture.hpp"

namespace assay::summary {
namespace {

using testing::analyzed;
using ::testing::HasSubstr;
using testing::Recorder;
using testing::ReportBuilder;

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

TEST(RunSummarySeed, ACopyWithoutASizeIsNoCopyOfMinusOneByte) {
  ReportBuilder b;
  example(b);
  b.copy(CopyDirection::kHostToDevice, kNone, 2'000, 3'000, {.stream = 9});
  const Recorder recorder = analyzed(b);
  EXPECT_FALSE(recorder.value("seed.h2d_bandwidth_mib_per_s"));
  EXPECT_THAT(testing::why_skipped(recorder, "seed.h2d_bandwidth_mib_per_s"), HasSubstr("not every copy"));
  EXPECT_DOUBLE_EQ(*recorder.value("seed.d2h_bandwidth_mib_per_s"), 2'000'000);
}

TEST(RunSummarySeed, FollowsThePublishedDefinitions) {
  ReportBuilder b;
  example(b);
  const auto r = analyzed(b);
  const double kernels = 100'000 + 10'000 + 9'000 + 8'999 + 70'000 + 10'000;
  EXPECT_EQ(r.value("seed.window_duration_ns"), 1'000'000);
  EXPECT_EQ(r.value("seed.kernel_count"), 7);
  EXPECT_EQ(r.value("seed.kernel_time_sum_ns"), kernels + 100'000);
  EXPECT_EQ(r.value("seed.compute_utilization"), (kernels + 100'000) / 500'000);
  EXPECT_EQ(r.value("seed.total_operations"), 11);
  EXPECT_EQ(r.value("seed.active_streams"), 4);
  EXPECT_EQ(r.value("seed.temporal_compression_ratio"), (kernels + 100'000 + 1'000 + 1'000 + 2'000) / 722'000);
  EXPECT_EQ(r.value("seed.total_gaps"), 5);
  EXPECT_EQ(r.value("seed.significant_gaps"), 2);
  EXPECT_EQ(r.value("seed.large_gaps"), 1);
  EXPECT_EQ(r.value("seed.very_large_gaps"), 1);
  EXPECT_EQ(r.value("seed.pipeline_efficiency"), 1 - 151'001.0 / 300'000);
  const double preparation = 10'000 - 5'000 + 61'000 + 71'001 + 230'000 + 290'000;
  EXPECT_DOUBLE_EQ(*r.value("seed.preparation_time_us"), preparation / 6 / 1000);
  EXPECT_DOUBLE_EQ(*r.value("seed.h2d_bandwidth_mib_per_s"), 1e6);
  EXPECT_DOUBLE_EQ(*r.value("seed.d2h_bandwidth_mib_per_s"), 2e6);
  const double stream7 = (kernels - 10'000 + 100'000) / 500'000, stream9 = 4'000.0 / 722'000;
  EXPECT_DOUBLE_EQ(*r.value("seed.average_stream_utilization"), (stream7 + 1 + stream9) / 3)
      << "stream 10 has no length";
}

std::map<std::string, double> seed_text(const Recorder& r) {
  std::map<std::string, double> out;
  const auto* table = r.table_of("seed_text");
  if (table == nullptr) return out;
  for (std::size_t i = 0; i < table->columns[0].texts.size(); ++i) {
    out.emplace(table->columns[0].texts[i], table->columns[1].numbers[i]);
  }
  return out;
}

TEST(RunSummarySeed, HandsOverTheNumbersOfTheText) {
  ReportBuilder b;
  example(b);
  const auto text = seed_text(analyzed(b));
  EXPECT_EQ(text.at("scope_named"), 1);
  EXPECT_EQ(text.at("window_end_ns"), 1'000'000);
  EXPECT_EQ(text.at("copy.h2d.bytes"), 1 << 20);
  EXPECT_EQ(text.at("copy.other_8.count"), 1);
  EXPECT_EQ(text.at("copy.other_8.bandwidth_mib_per_s"), 0);
  EXPECT_EQ(text.at("compute.min_ns"), 8'999);
  EXPECT_EQ(text.at("compute.max_ns"), 100'000);
  EXPECT_EQ(text.at("pipeline.kernels"), 6);
  EXPECT_EQ(text.at("pipeline.significant_gap_time_ns"), 151'001);
  EXPECT_DOUBLE_EQ(text.at("pipeline.average_gap_ns"), 152'001.0 / 3) << "over gaps above 0";
  EXPECT_EQ(text.at("pipeline.max_gap_ns"), 150'000);
  EXPECT_EQ(text.at("temporal.saved_ns"), text.at("temporal.sequential_ns") - 722'000);
}

TEST(RunSummarySeed, IsLeftOutWhenSwitchedOff) {
  ReportBuilder b;
  example(b);
  const auto r = analyzed(b, {{"seed", false}});
  EXPECT_FALSE(r.value("seed.kernel_count").has_value());
  EXPECT_EQ(r.table_of("seed_text"), nullptr);
}

TEST(RunSummarySeed, ReportsWithoutKernelsHaveNone) {
  ReportBuilder b;
  b.copy(CopyDirection::kHostToDevice, 8, 0, 10);
  const auto r = analyzed(b);
  EXPECT_EQ(r.table_of("seed_text"), nullptr);
  EXPECT_THAT(testing::why_skipped(r, "seed.*"), HasSubstr("no kernel rows"));
}

TEST(RunSummarySeed, OneKernelOfNoLengthHasNoRatio) {
  ReportBuilder b;
  launch(b, 50, 100, 100, 7);
  const auto r = analyzed(b);
  EXPECT_EQ(r.value("seed.total_gaps"), 0);
  EXPECT_FALSE(r.value("seed.pipeline_efficiency").has_value());
  EXPECT_FALSE(r.value("seed.compute_utilization").has_value());
}

}  // namespace
}  // namespace assay::summary
