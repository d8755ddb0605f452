// Conditions of a run: state of GPU and host before and after it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/journal.hpp"
#include "record/nvml.hpp"

namespace assay::record {

/// State of one GPU as reported by the driver; values it does not report are empty.
struct GpuState {
  std::string index, uuid, name, driver;
  std::optional<double> sm_mhz, memory_mhz, celsius, watts, busy_percent, used_mib;
  std::optional<std::uint64_t> reasons;       ///< bit mask of clock event reasons
  std::optional<std::uint64_t> throttled_us;  ///< accumulated by the driver: time below the requested clock because of
                                              ///< power or heat
  std::vector<std::optional<int>> processes;  ///< processes computing on it; empty id: the driver hides it
};

struct Conditions {
  std::vector<GpuState> gpus;
  std::optional<double> load, steal_percent_since_boot;
  std::string governor;
};

/// By NVML, if there is a driver, and /proc. Never fails: unavailable values are empty.
Conditions conditions_now(const Nvml* nvml = Nvml::loaded());
/// One line per GPU: present clock, max clock (assay never locks clocks). Empty: no GPU.
std::string clocks_text(const Nvml* nvml = Nvml::loaded());

/// Reasons for a clock below the requested one: power, heat, hardware. An idle GPU, application clocks, locked clocks
/// and sync boost do not count.
bool is_throttling(std::uint64_t reasons);
/// "sw_power_cap, hw_thermal" or "gpu_idle".
std::string reasons_text(std::uint64_t reasons);

/// Remarks on a run on the GPU at `index` (or uuid; empty: any): "throttled", "shared_gpu". `throttling`: "yes", "no",
/// or "unknown" if the driver reports no throttled time and neither look saw any.
struct Marks {
  std::vector<std::string> list;
  std::string throttling = "unknown";
};
Marks marks_of(const Conditions& before, const Conditions& after, const std::string& gpu);

Json json_of(const Conditions& conditions);

}  // namespace assay::record
