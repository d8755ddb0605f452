// Critical paths of made-up runs whose parts and gains are known.
#include "plugins/analyzers.hpp"
#include "support/test.hpp"

namespace assay::critical_path_test {

using under_test::critical_path::analyzed;

using namespace assay::testing;

/// Five steps of 100 us: a kernel of 60 us that the host waits for, and 35 us of host code after it.
void add_steps(ReportBuilder& b) {
  for (int step = 0; step < 5; ++step) {
    const std::int64_t at = 1'000'000 + step * 100'000;
    b.range("step_" + std::to_string(step), at, at + 100'000);
    const Row call = b.call(CallKind::kKernelLaunch, at, at + 2'000);
    b.kernel("gemm", at + 4'000, at + 64'000, {.call = call});
    const Row wait = b.call(CallKind::kStreamSync, at + 2'000, at + 65'000);
    b.sync(3, at + 2'000, at + 65'000, {.call = wait});
  }
}

TEST(CriticalPath, IsSplitExactlyAndGainsAreKnown) {
  ReportBuilder b;
  add_steps(b);
  const Recorder seen = analyzed(b.build());
  // From step to step: launch 2, latency 2, kernel 60, back to the host 1, code 35 us.
  EXPECT_DOUBLE_EQ(seen.value("critical_path.iteration_ns").value_or(-1), 100'000);
  EXPECT_DOUBLE_EQ(seen.value("critical_path.time_ratio", "part=kernels").value_or(-1), 0.60);
  EXPECT_DOUBLE_EQ(seen.value("critical_path.time_ratio", "part=launch latency").value_or(-1), 0.03);
  EXPECT_DOUBLE_EQ(seen.value("critical_path.time_ratio", "part=host code").value_or(-1), 0.37);
  EXPECT_DOUBLE_EQ(seen.value("replay.drift_ratio").value_or(-1), 0);
  // Without its waits the host has 2 us for the launch and 35 of code; the device has 60 us of work for each step,
  // and the first begins 4 us after its step.
  EXPECT_DOUBLE_EQ(seen.value("replay.gain_ratio", "change=sync:step_{i}").value_or(-1), 0.392);
  // Its code takes no time: 35 us.
  EXPECT_NEAR(seen.value("replay.gain_ratio", "change=host:step_{i}").value_or(-1), 0.35, 0.01);
}

TEST(CriticalPath, PartsAreSplitByKernelAndRangeAndSumToOne) {
  ReportBuilder b;
  add_steps(b);
  for (int step = 0; step < 5; ++step) {
    const std::int64_t at = 1'000'000 + step * 100'000;
    b.range("log", at + 65'000, at + 98'000);
  }
  const Recorder seen = analyzed(b.build());
  constexpr const char* kRatio = "critical_path.name_time_ratio";
  EXPECT_DOUBLE_EQ(seen.value(kRatio, "name=gemm;part=kernels").value_or(-1), 0.60);
  // Calls outside of "log" are in ranges of iterations alone, whose names have numbers.
  EXPECT_FALSE(seen.value(kRatio, "name=step_0;part=host code"));
  EXPECT_TRUE(seen.value(kRatio, "name=(none);part=host code"));
  double sum = 0;
  for (const auto& fact : seen.facts) sum += fact.metric == kRatio ? fact.value : 0;
  EXPECT_DOUBLE_EQ(sum, 1);
}

/// Fifteen kernels, one after the other, of which the first ones take longest; ten names are shown.
TEST(CriticalPath, SmallNamesAreOneFactOfEachPart) {
  ReportBuilder b;
  for (int step = 0; step < 3; ++step) {
    const std::int64_t at = 1'000'000 + step * 100'000;
    b.range("step_" + std::to_string(step), at, at + 100'000);
    std::int64_t start = at + 4'000;
    for (int k = 0; k < 15; ++k) {
      const Row call = b.call(CallKind::kKernelLaunch, at + 100 * k, at + 100 * k + 90);
      b.kernel("k" + std::to_string(k), start, start + 6'000 - 200 * k, {.call = call});
      start += 6'000 - 200 * k;
    }
    const Row wait = b.call(CallKind::kStreamSync, at + 2'000, start + 1'000);
    b.sync(3, at + 2'000, start + 1'000, {.call = wait});
  }
  const Recorder seen = analyzed(b.build());
  constexpr const char* kRatio = "critical_path.name_time_ratio";
  // Nine kernels and the range around all else; the last six have 4,200 to 3,200 ns.
  EXPECT_NEAR(seen.value(kRatio, "name=k8;part=kernels").value_or(-1), 0.044, 1e-9);
  EXPECT_FALSE(seen.value(kRatio, "name=k9;part=kernels"));
  EXPECT_NEAR(seen.value(kRatio, "name=(other);part=kernels").value_or(-1), 0.222, 1e-9);
}

TEST(CriticalPath, SkipsReportsThatCannotBeReplayedWithAReason) {
  ReportBuilder b;
  b.call(CallKind::kKernelLaunch, 0, 5);
  for (int i = 0; i < 9; ++i) b.kernel("k", 30 + 10 * i, 35 + 10 * i);
  const Recorder seen = analyzed(b.build());
  EXPECT_FALSE(seen.value("replay.drift_ratio"));
  EXPECT_TRUE(contains(seen.skip_of("critical_path.*, replay.*").value_or(""),
                       "9 of 9 pieces of device work have no launching call"));
}

}  // namespace assay::critical_path_test
