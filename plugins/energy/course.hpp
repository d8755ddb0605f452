// Energy, power and clock of a GPU over time, and their values for a stretch of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::energy {

/// One sample; missing values are empty.
struct PowerSample {
  double time_s = 0;  ///< since the epoch
  std::optional<double> energy_j, power_w, sm_mhz, memory_mhz, throttled;
};

/// Results for [begin, end] from the samples.
struct StretchUse {
  std::optional<double> joules, mean_w, sm_mhz, memory_mhz, throttled_ratio;
  std::size_t samples = 0;  ///< within the stretch
  std::string method;       ///< method used for the energy
  std::string refused;      ///< why the energy is unknown; empty: it is known
};

/// `course` must be sorted by time. The energy is the difference of the counter, interpolated at both ends between the
/// samples at which it changed (every 100 ms on an H100); it must have changed five times in the stretch. A counter
/// that was read less often is also known at whole seconds from a reading, through the power readings in between.
/// Otherwise the energy is the mean of the power readings in the stretch if these vary by less than 5 % and are at most
/// 0.4 s apart. Without a counter it is computed from readings, which NVML averages over the last second: E(b) - E(a)
/// is the sum of the readings at b, b - 1 s, ..., plus the remainder of less than a second from the reading one second
/// after a. This requires at least 2 s, and samples up to 1 s after the stretch. Always requires five samples in the
/// stretch.
StretchUse use_of(const std::vector<PowerSample>& course, double begin, double end);

}  // namespace assay::energy
