// Critical paths of made-up runs whose parts and gains are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "assay/testing/recorder.hpp"
#include "assay/testing/report_builder.hpp"
#include "plugin_under_test.hpp"

namespace assay {
namespace {

using assay::testing::Recorder;
using assay::testing::ReportBuilder;

/// Five steps of 100 us: a kernel of 60 us that the host waits for, and 35 us of host code after it.
void add_steps(ReportBuilder& b) {
  for (int step = 0; step < 5; ++step) {
    const std::int64_t at = 1'000'000 + step * 100'000;
    b.range("step_" + std::to_string(step), at, at + 99'000);
    const Row call = b.call(CallKind::kKernelLaunch, at, at + 2'000);
    b.kernel("gemm", at + 4'000, at + 64'000, {.call = call});
    const Row wait = b.call(CallKind::kStreamSync, at + 2'000, at + 65'000);
    b.sync(3, at + 2'000, at + 65'000, {.call = wait});
  }
}

TEST(CriticalPath, IsSplitExactlyAndGainsAreKnown) {
  ReportBuilder b;
  add_steps(b);
  const Recorder seen = assay::testing::analyzed(b.build());
  // From step to step: launch 2, latency 2, kernel 60, back to the host 1, code 35 us.
  EXPECT_DOUBLE_EQ(seen.value("critical_path.iteration_ns").value_or(-1), 100'000);
  EXPECT_DOUBLE_EQ(seen.value("critical_path.time_ratio", "part=kernels").value_or(-1), 0.60);
  EXPECT_DOUBLE_EQ(seen.value("critical_path.time_ratio", "part=launch latency").value_or(-1), 0.03);
  EXPECT_DOUBLE_EQ(seen.value("critical_path.time_ratio", "part=host code").value_or(-1), 0.37);
  EXPECT_DOUBLE_EQ(seen.value("replay.drift_ratio").value_or(-1), 0);
  // Without waits the host takes 2 us for the launch, 2 for the call that no longer waits, and 35 of code; the device
  // needs 60 and its latencies, and the last step ends when the host begins the next.
  EXPECT_DOUBLE_EQ(seen.value("replay.gain_ratio", "change=no_sync").value_or(-1), 0.61);
  // Its code takes no time: 35 us.
  EXPECT_DOUBLE_EQ(seen.value("replay.gain_ratio", "change=no_host_code").value_or(-1), 0.35);
}

TEST(CriticalPath, OfWhatCannotBeReplayedIsSkippedWithTheReason) {
  ReportBuilder b;
  b.call(CallKind::kKernelLaunch, 0, 5);
  for (int i = 0; i < 9; ++i) b.kernel("k", 30 + 10 * i, 35 + 10 * i);
  const Recorder seen = assay::testing::analyzed(b.build());
  EXPECT_FALSE(seen.value("replay.drift_ratio"));
  EXPECT_THAT(seen.skip_of("critical_path.*, replay.*").value_or(""),
              ::testing::HasSubstr("9 of 9 pieces of device work have no launching call"));
}

}  // namespace
}  // namespace assay
