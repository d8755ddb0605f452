// Conditions of a run: what the driver says, and which of it is throttling.
#include "record/conditions.hpp"

#include <stdlib.h>

#include "record/failure.hpp"
#include "support/test.hpp"

namespace assay::record::conditions_test {

TEST(Conditions, IdleAndApplicationClocksAreNoThrottling) {
  for (const std::uint64_t bit : {0x0U, 0x1U, 0x2U, 0x10U, 0x100U, 0x3U}) EXPECT_FALSE(is_throttling(bit)) << bit;
  for (const std::uint64_t bit : {0x4U, 0x8U, 0x20U, 0x40U, 0x80U, 0x5U}) EXPECT_TRUE(is_throttling(bit)) << bit;
  EXPECT_EQ(reasons_text(0x5), "gpu_idle, sw_power_cap");
}

Conditions with(std::optional<std::uint64_t> reasons, std::optional<std::uint64_t> throttled_us,
                std::vector<std::optional<int>> processes = {}) {
  GpuState gpu;
  gpu.index = "0";
  gpu.reasons = reasons;
  gpu.throttled_us = throttled_us;
  gpu.processes = std::move(processes);
  Conditions conditions;
  conditions.gpus.push_back(std::move(gpu));
  return conditions;
}

TEST(Conditions, CountersOfTheDriverDecideAndWithoutThemNothingIsKnown) {
  const Marks counted = marks_of(with(0x1, 100), with(0x1, 900), "0");
  EXPECT_TRUE(equals(counted.list, {"throttled"}));
  EXPECT_EQ(counted.throttling, "yes");
  EXPECT_EQ(marks_of(with(0x4, 100), with(0x4, 100), "0").throttling, "no") << "it was before, and not during the run";
  const Marks seen = marks_of(with(0x1, {}), with(0x40, {}), "0");
  EXPECT_TRUE(equals(seen.list, {"throttled"}));
  const Marks unknown = marks_of(with(0x1, {}), with(0x1, {}), "0");
  EXPECT_TRUE(is_empty(unknown.list));
  EXPECT_EQ(unknown.throttling, "unknown");
  EXPECT_EQ(marks_of({}, {}, "0").throttling, "unknown");
}

TEST(Conditions, AnotherProcessOnTheGpuIsMarked) {
  EXPECT_TRUE(equals(marks_of(with(0x1, 1), with(0x1, 1, {4711}), "0").list, {"shared_gpu"}));
  EXPECT_TRUE(equals(marks_of(with(0x1, 1), with(0x1, 1, {std::nullopt}), "0").list, {"shared_gpu"}))
      << "also where its id is hidden";
}

TEST(Conditions, TheDriverIsAsked) {
  const Nvml driver(ASSAY_FAKE_NVML);
  ASSERT_TRUE(driver.works());
  EXPECT_EQ(clocks_text(&driver),
            "GPU 0 (NVIDIA H100): SM clock 1500 MHz now, at most 1980; unless you lock it (nvidia-smi -i 0 "
            "--lock-gpu-clocks=MHZ) it varies with power and temperature\n");
  setenv("FAKE_NVML_PROCESSES", "1", 1);
  const Conditions seen = conditions_now(&driver);
  unsetenv("FAKE_NVML_PROCESSES");
  ASSERT_EQ(seen.gpus.size(), 1U);
  EXPECT_EQ(seen.gpus[0].driver, "550.1");
  EXPECT_EQ(seen.gpus[0].uuid, "GPU-fake");
  EXPECT_EQ(seen.gpus[0].celsius, 50);
  EXPECT_EQ(seen.gpus[0].watts, 100);
  EXPECT_EQ(seen.gpus[0].busy_percent, 7);
  EXPECT_EQ(seen.gpus[0].used_mib, 3);
  EXPECT_EQ(seen.gpus[0].reasons, 0U);
  EXPECT_EQ(seen.gpus[0].throttled_us, 5100U) << "74: 5 ms, 75: 0.1 ms; 251 is not known, 252 and 253 are not";
  EXPECT_TRUE(equals(seen.gpus[0].processes, {std::optional(4711), std::nullopt}));
  EXPECT_EQ(json_of(seen)["gpus"][0]["processes"], Json::parse("[4711, null]")) << "what is hidden is not 0";
  EXPECT_TRUE(seen.load.has_value());
}

TEST(Failures, TheReasonIsTheLastLineThatSaysSomething) {
  ProcessEnd end;
  end.status.how = process::ExitKind::kTimedOut;
  EXPECT_EQ(failure_of(end, "waiting\n  https://docs.nvidia.com/a#b\n\n", 45).error, "not done after 45 s: waiting");
  EXPECT_EQ(failure_of(end, "https://docs.nvidia.com/a#b", 45).error, "not done after 45 s");
  EXPECT_EQ(failure_of(end, "see https://docs.nvidia.com/a", 45).error,
            "not done after 45 s: see https://docs.nvidia.com/a");
  EXPECT_EQ(failure_of(end, "", 45).error, "not done after 45 s");
}

}  // namespace assay::record::conditions_test
