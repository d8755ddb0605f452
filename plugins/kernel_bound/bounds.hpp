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

/// Kernels of one name and launch shape that ncu measured.
struct BoundRow {
  std::string kernel;  ///< base name
  std::string kernel_class, tensor_cores;
  std::string grid, block;  ///< "224 x 1 x 1"; empty where not known
  SpeedOfLight speed;
  BoundTimes bounds;                 ///< of its launches, shares of their time
  roofline::LaunchCounters counted;  ///< mean of a launch
  roofline::RoofTimes roof;          ///< of those of which FLOPs, bytes and peaks are known
  std::int64_t launches = 0;         ///< in the report; without one: that ncu measured
  double time = 0;                   ///< of those, ns

  [[nodiscard]] std::optional<double> flops() const;
  [[nodiscard]] std::optional<double> dram_bytes() const;
  [[nodiscard]] std::optional<double> l2_bytes() const;
  /// FLOPs a byte of DRAM, FLOPs/s, and the least time over the measured one: where the launch is in the roofline.
  [[nodiscard]] std::optional<double> intensity() const;
  [[nodiscard]] std::optional<double> flops_per_s() const;
  [[nodiscard]] std::optional<double> roof_share() const;
};

struct Bounds {
  bool joined = false;                        ///< weights are GPU times of the report; else durations that ncu measured
  std::vector<BoundRow> rows;                 ///< with time, most first; of equals by name and shape
  double without_counters = 0;                ///< ns of kernels of the report that ncu did not measure
  std::map<std::string, BoundTimes> classes;  ///< those too, as unknown
  BoundTimes all;
  roofline::Peaks peaks;       ///< of the device that was counted
  std::int64_t profiled = 0;   ///< launches that ncu measured
  std::int64_t unmatched = 0;  ///< of those: no kernel in the window is like them
  std::int64_t untimed = 0;    ///< of those, without a report: no duration was measured
};

/// Needs profiled and counters; kernels with names, of the window, where present. `device`: in the place of what the
/// counters say of it; empty: that.
Bounds measure_bounds(const Report& report, const NameRules& rules, const NameRules& tensor_cores, double threshold,
                      std::string_view device);

/// A number of a kernel that is averaged, and the metric of the mean.
struct SpeedMean {
  std::optional<double> SpeedOfLight::* number;
  std::string_view metric;
  std::string_view operation = {};  ///< of the dim "operation"; empty: the metric has none
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

/// Means weighted by time, over the rows that have the counter.
class WeightedSpeed {
 public:
  void add(const BoundRow& row);
  /// Of kSpeedMeans[mean]; nothing where no row with time has it.
  [[nodiscard]] std::optional<double> mean(std::size_t mean) const;

 private:
  struct Sum {
    double sum = 0, weight = 0;
  };
  std::array<Sum, std::size(kSpeedMeans)> sums_{};
};

/// What launches of several shapes did, each as often as it was measured.
struct LaunchSums {
  /// A mean over launches; nothing where one of them lacks it.
  class Mean {
   public:
    void add(const std::optional<double>& value, double launches) {
      all_ = all_ && value.has_value();
      if (value) sum_ += *value * launches, n_ += launches;
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
  /// The sum of least times over that of durations, of launches that have both.
  [[nodiscard]] std::optional<double> roof_share() const {
    return measured_ > 0 ? std::optional(least_ / measured_) : std::nullopt;
  }

 private:
  double least_ = 0, measured_ = 0;
};

}  // namespace assay::bound
