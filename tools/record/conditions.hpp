// Under which conditions a run was made: GPU and host, before and after it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "record/journal.hpp"

namespace assay::record {

/// One GPU as the driver tells; what it does not tell is not there.
struct GpuState {
  std::string index, uuid, name, driver;
  std::optional<double> sm_mhz, memory_mhz, celsius, watts, busy_percent, used_mib;
  std::optional<std::uint64_t> reasons;       ///< bits of why its clock is as it is
  std::optional<std::uint64_t> throttled_us;  ///< accumulated by the driver: time below its clock for power or heat
  std::vector<std::optional<int>> processes;  ///< that compute on it; none: the driver hides its id
};

struct Conditions {
  std::vector<GpuState> gpus;
  std::optional<double> load, steal_percent_since_boot;
  std::string governor;
};

/// Asks nvidia-smi, where there is one, and /proc. Never fails: what cannot be had is not there.
class Observer {
 public:
  Observer();
  [[nodiscard]] bool has_gpus() const { return !program_.empty(); }
  /// nvidia-smi; empty: there is none.
  [[nodiscard]] const std::filesystem::path& program() const { return program_; }
  /// What it calls the reasons of a clock.
  [[nodiscard]] const char* reasons_field() const {
    return event_words_ ? "clocks_event_reasons.active" : "clocks_throttle_reasons.active";
  }
  [[nodiscard]] Conditions look() const;
  /// A line a GPU: its clock now, the highest it can have, and how it is locked, which assay never does. Empty: no GPU.
  [[nodiscard]] std::string clocks_text() const;

 private:
  [[nodiscard]] std::string ask(const std::string& query) const;
  [[nodiscard]] bool knows(const std::string& fields) const;

  std::filesystem::path program_;  ///< nvidia-smi; empty: none
  bool event_words_ = false, counters_ = false;
};

/// Reasons by which a clock is below what was asked for: power, heat, hardware. Being idle, clocks that an application
/// or a person set, and sync boost are none.
bool is_throttling(std::uint64_t reasons);
/// "sw_power_cap, hw_thermal" or "gpu_idle".
std::string reasons_text(std::uint64_t reasons);

/// What befell a run of the GPU at `index` (or uuid; empty: any): "throttled", "shared_gpu". `throttling` tells whether
/// that is known: "yes", "no", or "unknown" where the driver counts no time and neither look saw it.
struct Marks {
  std::vector<std::string> list;
  std::string throttling = "unknown";
};
Marks marks_of(const Conditions& before, const Conditions& after, const std::string& gpu);

Json json_of(const Conditions& conditions);

}  // namespace assay::record
