// The course of a GPU's energy, power and clock, and what it says of a stretch of time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::energy {

/// One sample; what was not read is empty.
struct PowerSample {
  double time_s = 0;  ///< since the epoch
  std::optional<double> energy_j, power_w, sm_mhz, throttled;
};

/// What samples say of [begin, end].
struct StretchUse {
  std::optional<double> joules, mean_w, sm_mhz, throttled_ratio;
  std::size_t samples = 0;  ///< within the stretch
  std::string method;       ///< how the energy was found
  std::string refused;      ///< why there is no energy; empty: there is
};

/// `course` rises in time. The energy is the difference of the counter, interpolated at both ends between the samples
/// at which it had moved on (every 100 ms on an H100), which it must have done five times in the stretch. A counter
/// that was read less often is also known whole seconds away from a reading, by the power readings in between. Without
/// a counter it is put together of power readings, which NVML averages over the last second: E(b) - E(a) is the sum of
/// the readings at b, b - 1 s, ..., and of the rest of less than a second by the reading one second after a. That is
/// refused for less than 2 s, and without samples up to 1 s after the stretch. Fewer than five samples in the stretch
/// are refused.
StretchUse use_of(const std::vector<PowerSample>& course, double begin, double end);

}  // namespace assay::energy
