// The sampler against a library that stands for NVML: what it reads, and what it costs.
#include "record/power_sampler.hpp"

#include <dlfcn.h>

#include <chrono>
#include <thread>

#include "plugins/energy/course.hpp"
#include "support/test.hpp"

namespace assay::power_sampler_test {

/// Samples of a power.csv: run, time_ns, energy_mj, power_mw, ...
std::vector<energy::PowerSample> course_in(const std::filesystem::path& file) {
  std::vector<energy::PowerSample> course;
  std::ifstream in(file);
  std::string line, cell;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::vector<std::string> of;
    while (std::getline(cells, cell, ',')) of.push_back(cell);
    energy::PowerSample& sample = course.emplace_back();
    sample.time_s = std::stod(of.at(1)) / 1e9;
    if (!of.at(2).empty()) sample.energy_j = std::stod(of[2]) / 1e3;
    if (!of.at(3).empty()) sample.power_w = std::stod(of[3]) / 1e3;
  }
  return course;
}

TEST(PowerSampler, ReadsTheCounterAtBeginAndEndAndWhereThePowerChanges) {
  // The sampler's own dlopen finds what is loaded under that name.
  ASSERT_NE(dlopen(ASSAY_FAKE_NVML, RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
  TempFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  const auto sampler = record::PowerSampler::start("");
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
  EXPECT_GE(counters, 1 + 2U) << "the head, begin and end; in between as the share of a core allows";
  // The first readings of the counter are more than a second apart, and the power is constant until 1.5 s.
  const std::vector<energy::PowerSample> course = course_in(folder.path() / "power.csv");
  const double start = course.front().time_s;
  const energy::StretchUse constant = energy::use_of(course, start + 0.2, start + 1.3);
  EXPECT_NEAR(constant.joules.value_or(0), 100 * 1.1, 1) << constant.refused;
  EXPECT_TRUE(contains(constant.method, "power readings")) << constant.method;
  RecordProperty("share_of_a_core", std::to_string(use->cpu_seconds / seconds));
  std::printf("sampling took %.2f ms of %.2f s, %.2f %%\n", 1e3 * use->cpu_seconds, seconds,
              100 * use->cpu_seconds / seconds);
}

}  // namespace assay::power_sampler_test
