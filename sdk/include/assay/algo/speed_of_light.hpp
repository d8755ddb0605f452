// Bound of a kernel according to Nsight Compute counters: compute, memory, or neither (latency).
//
// Definition: the rule SOLBottleneck of ncu (sections/SpeedOfLight.py). It compares the throughput of the SMs
// (sm__throughput) and of the memory system (gpu__compute_memory_throughput: L1, L2 and DRAM), both in % of the
// sustained peak. If both are below latency_bound_threshold, 60 %, the kernel waits: latency. Otherwise the greater one
// bounds it; if equal, compute.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/report.hpp"
#include "assay/words.hpp"

namespace assay {

/// Bound of a kernel; kUnknown: without the counters that decide.
enum class Bound : std::uint8_t { kCompute = 0, kMemory = 1, kLatency = 2, kUnknown = 3 };
inline constexpr std::size_t kBounds = 4;

/// "compute", "memory", "latency", "unknown".
constexpr std::string_view bound_name(Bound bound) noexcept {
  constexpr std::string_view names[kBounds] = {"compute", "memory", "latency", "unknown"};
  return names[static_cast<std::size_t>(bound)];
}

/// Inverse of bound_name; kUnknown for any other text.
constexpr Bound bound_named(std::string_view name) noexcept {
  for (const Bound bound : {Bound::kCompute, Bound::kMemory, Bound::kLatency}) {
    if (bound_name(bound) == name) return bound;
  }
  return Bound::kUnknown;
}

/// Times of kernels by bound, in ns (of SpeedsOfLight::bounds: shares).
struct BoundTimes {
  std::array<double, kBounds> times{};

  void add(Bound bound, double time) { times[static_cast<std::size_t>(bound)] += time; }
  /// Adds a time in the proportions of `shares`, which add up to 1.
  void add(const BoundTimes& shares, double time) {
    for (std::size_t b = 0; b < kBounds; ++b) times[b] += time * shares.times[b];
  }
  BoundTimes& operator+=(const BoundTimes& other) {
    for (std::size_t b = 0; b < kBounds; ++b) times[b] += other.times[b];
    return *this;
  }
  [[nodiscard]] double of(Bound bound) const { return times[static_cast<std::size_t>(bound)]; }
  [[nodiscard]] double total() const { return times[0] + times[1] + times[2] + times[3]; }
  /// Share of the total, 0..1; 0 without time.
  [[nodiscard]] double share(Bound bound) const { return total() > 0 ? of(bound) / total() : 0; }

  /// "memory 81.2 %, latency 12.0 %, not known 6.8 %": largest first, unknown last; empty without time.
  [[nodiscard]] std::string text() const {
    std::array<Bound, 3> order = {Bound::kCompute, Bound::kMemory, Bound::kLatency};
    std::stable_sort(order.begin(), order.end(), [&](Bound a, Bound b) { return of(a) > of(b); });
    std::string out;
    const auto append = [&](std::string_view name, Bound bound) {
      if (of(bound) <= 0) return;
      out += (out.empty() ? "" : ", ") + std::string(name) + printed(" %.1f %%", 100 * share(bound));
    };
    for (const Bound bound : order) append(bound_name(bound), bound);
    append("not known", Bound::kUnknown);
    return out;
  }
};

/// Counters for the launches of one group; empty if no launch of the group has the counter. Shares, rates and ratios
/// are means weighted by the launches' durations (plain means without durations): a kernel with unequal launches of one
/// shape (a persistent one) counts as busy in proportion to its time.
struct SpeedOfLight {
  std::int64_t launches = 0;             ///< that ncu measured
  std::optional<double> compute;         ///< throughput of the SMs, share of the peak, 0..1
  std::optional<double> memory;          ///< throughput of the memory system, share of the peak, 0..1
  std::optional<double> dram;            ///< throughput of DRAM, a part of `memory`, share of the peak, 0..1
  std::optional<double> occupancy;       ///< achieved: active warps over the capacity of an SM, 0..1
  std::optional<double> duration;        ///< ns, with clocks and caches controlled by ncu
  std::optional<double> warp_execution;  ///< active threads of an executed instruction over the threads of a warp, 0..1
  std::optional<double> load_sectors;    ///< 32-byte sectors per load request of a warp to global memory
  std::optional<double> store_sectors;   ///< 32-byte sectors per store request; 4 for 32 adjacent 4-byte values
  std::optional<double> dram_rate;       ///< achieved bytes/s of DRAM
  std::optional<double> dram_peak;       ///< bytes/s: the peak that `dram` refers to, if both are measured
};

/// Bound by the rule above. `threshold`: share of the peak, 0..1, below which neither bounds (ncu: 0.6). Without the
/// memory system's throughput, DRAM's is a lower bound for it, which can show a memory bound and nothing else. kUnknown
/// without the throughput of the SMs.
Bound bound_of(const SpeedOfLight& speed, double threshold);

/// Speed-of-light counters of every group of profiled launches.
class SpeedsOfLight {
 public:
  /// Needs profiled and counters; without them there are no groups.
  explicit SpeedsOfLight(const Report& report);

  /// Counters by the first row of the group (ProfiledTable::group).
  [[nodiscard]] const std::map<Row, SpeedOfLight>& groups() const { return speeds_; }
  /// Bounds of the group's launches, as shares of their time (of their number if a duration is unknown), which add up
  /// to 1; all kUnknown without such a group.
  [[nodiscard]] BoundTimes bounds(Row group, double threshold) const;

 private:
  enum Quantity : std::size_t {
    kSm,
    kMemory,
    kDram,
    kOccupancy,
    kDuration,
    kWarpShare,
    kWarpThreads,
    kLoadMean,
    kLoadSectors,
    kLoadRequests,
    kStoreMean,
    kStoreSectors,
    kStoreRequests,
    kDramRate,
    kDramRead,
    kDramWrite,
    kQuantities
  };
  /// Counts of a whole launch; the others are shares and rates.
  static constexpr bool is_count(Quantity q) {
    return q == kDuration || q == kLoadSectors || q == kLoadRequests || q == kStoreSectors || q == kStoreRequests ||
           q == kDramRead || q == kDramWrite;
  }
  static constexpr std::string_view kAnyUnit = "*";  ///< some ratios and counts of ncu have the unit one, others none
  struct CounterSource {
    std::string_view unit;
    double factor;  ///< conversion to the unit in SpeedOfLight
    std::array<std::string_view, 4>
        counters;  ///< names in order of preference: on the raw page, then on new and old details pages
  };
  static constexpr CounterSource kWanted[kQuantities] = {
      {"%", 0.01, {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "Compute (SM) Throughput", "SM [%]", "SOL SM"}},
      {"%",
       0.01,
       {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "Memory Throughput", "Memory [%]",
        "SOL Memory"}},
      {"%",
       0.01,
       {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "DRAM Throughput", "SOL FB"}},
      {"%", 0.01, {"sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy", "", ""}},
      {"ns", 1, {"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max", "Duration"}},
      {"%", 0.01, {"smsp__thread_inst_executed_per_inst_executed.pct", "", "", ""}},
      {kAnyUnit,
       1.0 / 32,  // threads of a warp
       {"smsp__thread_inst_executed_per_inst_executed.ratio", "Avg. Active Threads Per Warp", "", ""}},
      {kAnyUnit, 1, {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "", "", ""}},
      {kAnyUnit, 1, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "", "", ""}},
      {kAnyUnit, 1, {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "", "", ""}},
      {kAnyUnit, 1, {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", "", "", ""}},
      {kAnyUnit, 1, {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "", "", ""}},
      {kAnyUnit, 1, {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "", "", ""}},
      {"byte/s", 1, {"dram__bytes.sum.per_second", "Memory Throughput", "", ""}},
      {"byte", 1, {"dram__bytes_read.sum", "dram__bytes_op_read.sum", "", ""}},
      {"byte", 1, {"dram__bytes_write.sum", "dram__bytes_op_write.sum", "", ""}},
  };

  /// Value of a quantity in one launch, under the preferred name.
  struct LaunchValue {
    std::size_t rank = std::numeric_limits<std::size_t>::max();
    std::optional<double> value;
  };
  using Launch = std::array<LaunchValue, kQuantities>;
  struct Mean {
    double sum = 0, weight = 0;
    void add(const std::optional<double>& value, double times) {
      if (value) {
        sum += *value * times;
        weight += times;
      }
    }
    [[nodiscard]] std::optional<double> value() const {
      return weight > 0 ? std::optional(sum / weight) : std::nullopt;
    }
  };
  using Means = std::array<Mean, kQuantities>;
  struct CounterMeaning {
    std::size_t quantity = 0, rank = 0;
  };

  /// Empty if either is missing, or the second is 0.
  static std::optional<double> ratio(const std::optional<double>& above, const std::optional<double>& below);

  /// "Memory Throughput" is a share of the peak if its unit is %, and a rate if it is bytes/s.
  static std::optional<CounterMeaning> meaning_of(std::string_view name, std::string_view unit);

  static std::vector<Launch> launches_of(const Report& report);

  std::map<Row, SpeedOfLight> speeds_;
  std::map<Row, std::vector<SpeedOfLight>> launches_;  ///< with their bounds and durations
};
/// Bounds of the kernels of a report with counters. Borrows the report; for one thread.
class KernelBounds {
 public:
  /// `threshold`: as for bound_of.
  KernelBounds(const Report& report, double threshold) : report_(&report), speeds_(report), threshold_(threshold) {}

  /// Whether kernels have counters at all; otherwise bounds are unknown.
  [[nodiscard]] bool joined() const { return report_->kernels != nullptr && report_->kernels->profiled.present(); }
  /// Adds the time of a row of kernels, split like the launches matched to it. Precondition: `joined`.
  void add(std::size_t kernel, double time, BoundTimes& to) const {
    const Row group = report_->kernels->profiled[kernel];
    const auto [known, is_new] = shares_.try_emplace(group);
    if (is_new) known->second = speeds_.bounds(group, threshold_);
    to.add(known->second, time);
  }
  [[nodiscard]] const SpeedsOfLight& speeds() const { return speeds_; }
  [[nodiscard]] double threshold() const { return threshold_; }

 private:
  const Report* report_;
  SpeedsOfLight speeds_;
  double threshold_;
  mutable std::map<Row, BoundTimes> shares_;
};

}  // namespace assay
