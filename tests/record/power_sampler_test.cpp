// The sampler against a library that stands for NVML: what it reads, and what it costs.
#include "record/power_sampler.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "support/temp_folder.hpp"

namespace assay::power_sampler_test {

TEST(PowerSampler, ReadsTheCounterAtBeginAndEndAndWhereThePowerChanges) {
  // The sampler's own dlopen finds what is loaded under that name.
  ASSERT_NE(dlopen(ASSAY_FAKE_NVML, RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
  TempFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  const auto sampler = record::PowerSampler::start("", record::Observer());
  ASSERT_NE(sampler, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(4000));
  const auto use = sampler->stop(folder.path() / "power.csv", "block_001/run_a");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_TRUE(use);
  EXPECT_GT(use->cpu_seconds, 0);  // how much is a measurement (docs/recording.md), not an assertion
  const double joules = 100 * seconds + 400 * (seconds - 1.5);
  EXPECT_NEAR(*use->joules, joules, 0.05 * joules) << "the counter moves on every 100 ms";
  EXPECT_GE(use->samples, 40U);
  EXPECT_EQ(use->sm_mhz, 1500);
  std::ifstream in(folder.path() / "power.csv");
  std::size_t counters = 0;
  for (std::string line; std::getline(in, line);) counters += line.find(",,") == std::string::npos ? 1U : 0U;
  EXPECT_GE(counters, 1 + 3U) << "the head, begin, end, and at least one where the power changes";
  RecordProperty("share_of_a_core", std::to_string(use->cpu_seconds / seconds));
  std::printf("sampling took %.2f ms of %.2f s, %.2f %%\n", 1e3 * use->cpu_seconds, seconds,
              100 * use->cpu_seconds / seconds);
}

}  // namespace assay::power_sampler_test
