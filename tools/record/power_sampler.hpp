// What a GPU does while a run runs: power, clocks, temperature and why it is throttled, every 50 ms, and its energy
// counter at begin and end and as often as half a per cent of a core allows.
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

/// Samples one GPU by NVML. Costs one thread that takes less than 0.5 % of a core in runs of 2 s and more; the readings
/// at begin and end are never left out.
class PowerSampler {
 public:
  /// `gpu`: index or UUID; empty: the only one. Null without NVML, without such a GPU, or with several to choose from.
  static std::unique_ptr<PowerSampler> start(const std::string& gpu);
  virtual ~PowerSampler() = default;
  /// Takes the last sample: the run has ended.
  virtual void end() = 0;
  /// Ends the sampling, appends the samples to `course` under the run's name and sums them up. Error: not written.
  virtual Result<PowerUse> stop(const std::filesystem::path& course, const std::string& run) = 0;
};

}  // namespace assay::record
