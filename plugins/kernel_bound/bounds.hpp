// What bounds the kernels of one report, weighted by their time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/counted.hpp"
#include "assay/algo/kernel_classes.hpp"
#include "assay/algo/speed_of_light.hpp"

namespace assay::bound {

/// Kernels with one name and launch shape that ncu measured.
struct BoundRow {
  std::string kernel;  ///< base name
  std::string kernel_class, tensor_cores;
  std::string grid, block;  ///< "224 x 1 x 1"; empty if unknown
  SpeedOfLight speed;
  BoundTimes bounds;                 ///< of its launches, as shares of their time
  roofline::LaunchCounters counted;  ///< mean per launch
  roofline::RoofTimes roof;          ///< for launches with known FLOPs, bytes and peaks
  std::int64_t launches = 0;         ///< in the report; without a report, the number ncu measured
  double time = 0;                   ///< of those, ns

  [[nodiscard]] std::optional<double> flops() const;
  [[nodiscard]] std::optional<double> dram_bytes() const;
  [[nodiscard]] std::optional<double> l2_bytes() const;
  /// FLOPs per byte of DRAM, FLOPs/s, and the ratio of minimum to measured time: the position in the roofline.
  [[nodiscard]] std::optional<double> intensity() const;
  [[nodiscard]] std::optional<double> flops_per_s() const;
  [[nodiscard]] std::optional<double> roof_share() const;
};

struct Bounds {
  bool joined = false;                        ///< weights are GPU times of the report; false: durations measured by ncu
  std::vector<BoundRow> rows;                 ///< rows with time, longest first; equal ones by name and shape
  double without_counters = 0;                ///< ns of kernels of the report that ncu did not measure
  std::map<std::string, BoundTimes> classes;  ///< those included, as unknown
  BoundTimes all;
  roofline::Peaks peaks;       ///< of the profiled device
  std::int64_t profiled = 0;   ///< launches measured by ncu
  std::int64_t unmatched = 0;  ///< of those: without a similar kernel in the window
  std::int64_t untimed = 0;    ///< of those, without a report: without a measured duration
};

/// Requires profiled and counters; uses named kernels of the window if present. `device`: replaces the device in the
/// counters; empty: uses that.
Bounds measure_bounds(const Report& report, const NameRules& rules, const NameRules& tensor_cores, double threshold,
                      std::string_view device);

/// A quantity averaged over kernels, and the metric of the mean.
struct SpeedMean {
  std::optional<double> SpeedOfLight::* number;
  std::string_view metric;
  std::string_view operation = {};  ///< for the dim "operation"; empty: the metric has none
};
inline constexpr SpeedMean kSpeedMeans[] = {
    {&SpeedOfLight::compute, "ncu.sm_throughput_ratio"},
    {&SpeedOfLight::memory, "ncu.memory_throughput_ratio"},
    {&SpeedOfLight::dram, "ncu.dram_throughput_ratio"},
    {&SpeedOfLight::occupancy, "ncu.occupancy_ratio"},
    {&SpeedOfLight::warp_execution, "ncu.warp_execution_ratio"},
    {&SpeedOfLight::dram_rate, "ncu.dram_bytes_per_s"},
    {&SpeedOfLight::dram_peak, "ncu.dram_peak_bytes_per_s"},
    {&SpeedOfLight::load_sectors, "ncu.sectors_per_request", "load"},
    {&SpeedOfLight::store_sectors, "ncu.sectors_per_request", "store"},
};

/// Time-weighted means over the rows that have the counter.
class WeightedSpeed {
 public:
  void add(const BoundRow& row);
  /// For kSpeedMeans[mean]; empty if no row with time has it.
  [[nodiscard]] std::optional<double> mean(std::size_t mean) const;

 private:
  struct Sum {
    double sum = 0, weight = 0;
  };
  std::array<Sum, std::size(kSpeedMeans)> sums_{};
};

/// Totals over launches of several shapes, each as often as it was measured.
struct LaunchSums {
  /// Mean over launches; empty if one of them lacks the value.
  class Mean {
   public:
    void add(const std::optional<double>& value, double launches) {
      all_ = all_ && value.has_value();
      if (value) {
        sum_ += *value * launches;
        n_ += launches;
      }
    }
    [[nodiscard]] std::optional<double> mean() const {
      return all_ && n_ > 0 ? std::optional(sum_ / n_) : std::nullopt;
    }

   private:
    double sum_ = 0, n_ = 0;
    bool all_ = true;
  };
  Mean duration, flops, dram_bytes, l2_bytes;

  void add(const BoundRow& row);
  /// Only what `roof_share` needs.
  void add_roof(const BoundRow& row);
  /// The sum of minimum times divided by the sum of durations, over launches that have both.
  [[nodiscard]] std::optional<double> roof_share() const {
    return measured_ > 0 ? std::optional(least_ / measured_) : std::nullopt;
  }

 private:
  double least_ = 0, measured_ = 0;
};

}  // namespace assay::bound
