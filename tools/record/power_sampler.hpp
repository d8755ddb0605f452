// Samples a GPU during a run: power, clocks, temperature and throttling reasons every 50 ms; its energy counter at
// begin and end, and in between as often as 0.5 % of a core permits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "result.hpp"

namespace assay::record {

/// Samples of all runs of a recording: one CSV next to the reports, one row per sample.
inline constexpr const char* kPowerCourse = "power.csv";

/// Summary of one run. Energy is the difference of the driver's counter between begin and end; the rest are means of
/// samples.
struct PowerUse {
  std::optional<double> joules;  ///< empty: the GPU has no counter
  std::optional<double> mean_watts, sm_mhz, throttled_ratio;
  std::size_t samples = 0;
  double cpu_seconds = 0;  ///< that sampling took
};

/// Samples one GPU with NVML (libnvidia-ml.so.1), if it can be loaded. Uses one thread with less than 0.5 % of a core
/// in runs of 2 s and more; never skips the readings at begin and end.
class PowerSampler {
 public:
  /// `gpu`: index or UUID; empty: the only one. Null without NVML, without such a GPU, or if the choice is ambiguous.
  static std::unique_ptr<PowerSampler> start(const std::string& gpu);
  virtual ~PowerSampler() = default;
  /// Ends sampling, appends the samples to `course` under the run's name, and returns their summary. Error: not
  /// writable.
  virtual Result<PowerUse> stop(const std::filesystem::path& course, const std::string& run) = 0;
};

}  // namespace assay::record
