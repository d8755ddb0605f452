#include "record/conditions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

namespace assay::record {
namespace {

/// Bits of nvmlClocksEventReasons.
struct Reason {
  std::uint64_t bit;
  std::string_view name;
  bool throttling;
};
constexpr std::array<Reason, 9> kReasons = {{{0x1, "gpu_idle", false},
                                             {0x2, "applications_clocks_setting", false},
                                             {0x4, "sw_power_cap", true},
                                             {0x8, "hw_slowdown", true},
                                             {0x10, "sync_boost", false},
                                             {0x20, "sw_thermal_slowdown", true},
                                             {0x40, "hw_thermal_slowdown", true},
                                             {0x80, "hw_power_brake_slowdown", true},
                                             {0x100, "display_clock_setting", false}}};

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::optional<double> steal_percent() {
  std::istringstream in(first_line("/proc/stat"));
  std::string word;
  in >> word;
  double all = 0, steal = 0;
  for (int field = 0; in >> word && field < 8; ++field) {
    const double ticks = number(word).value_or(0);
    all += ticks;
    if (field == 7) steal = ticks;
  }
  return all > 0 ? std::optional(100 * steal / all) : std::nullopt;
}

const GpuState* gpu_named(const Conditions& conditions, const std::string& gpu) {
  for (const GpuState& state : conditions.gpus) {
    if (state.index == gpu || state.uuid == gpu) return &state;
  }
  return conditions.gpus.size() == 1 && gpu.empty() ? &conditions.gpus.front() : nullptr;
}

}  // namespace

std::string clocks_text(const Nvml* nvml) {
  std::string text;
  const std::vector<Nvml::Device> devices = nvml == nullptr ? std::vector<Nvml::Device>() : nvml->devices();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto now = nvml->mhz(devices[i], Nvml::kSm), most = nvml->most_mhz(devices[i], Nvml::kSm);
    if (!now || !most) continue;
    text += fmt::format(
        "GPU {} ({}): SM clock {} MHz now, at most {}; unless you lock it (nvidia-smi -i {} --lock-gpu-clocks=MHZ) it "
        "varies with power and temperature\n",
        i, nvml->name(devices[i]), *now, *most, i);
  }
  return text;
}

Conditions conditions_now(const Nvml* nvml) {
  Conditions seen;
  seen.load = number(first_line("/proc/loadavg"));
  seen.steal_percent_since_boot = steal_percent();
  seen.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (nvml == nullptr) return seen;
  const std::string driver = nvml->driver();
  for (const Nvml::Device device : nvml->devices()) {
    const auto scaled = [](const auto& value, double unit) {
      return value ? std::optional(static_cast<double>(*value) / unit) : std::nullopt;
    };
    constexpr double kMilli = 1e3, kMebi = 1U << 20U;
    seen.gpus.push_back({std::to_string(seen.gpus.size()), nvml->uuid(device), nvml->name(device), driver,
                         nvml->mhz(device, Nvml::kSm), nvml->mhz(device, Nvml::kMemory), nvml->celsius(device),
                         scaled(nvml->power_mw(device), kMilli), nvml->busy_percent(device),
                         scaled(nvml->used_bytes(device), kMebi), nvml->reasons(device), nvml->throttled_us(device),
                         nvml->processes(device)});
  }
  return seen;
}

bool is_throttling(std::uint64_t reasons) {
  return std::any_of(kReasons.begin(), kReasons.end(),
                     [&](const Reason& reason) { return reason.throttling && (reasons & reason.bit) != 0; });
}

std::string reasons_text(std::uint64_t reasons) {
  std::string text;
  for (const Reason& reason : kReasons) {
    if ((reasons & reason.bit) != 0) text += (text.empty() ? "" : ", ") + std::string(reason.name);
  }
  return text;
}

Marks marks_of(const Conditions& before, const Conditions& after, const std::string& gpu) {
  Marks marks;
  const GpuState* from = gpu_named(before, gpu);
  const GpuState* to = gpu_named(after, gpu);
  if (from == nullptr || to == nullptr) return marks;
  const bool counted = from->throttled_us && to->throttled_us;
  const bool seen = is_throttling(from->reasons.value_or(0)) || is_throttling(to->reasons.value_or(0));
  const bool throttled = counted ? *to->throttled_us > *from->throttled_us : seen;
  marks.throttling = throttled ? "yes" : counted ? "no" : "unknown";
  if (throttled) marks.list.emplace_back("throttled");
  // The run had not begun at the first look and has ended at the second, so any process computing there is foreign.
  if (!from->processes.empty() || !to->processes.empty()) marks.list.emplace_back("shared_gpu");
  return marks;
}

Json json_of(const Conditions& conditions) {
  Json out = Json::object();
  const auto add_field = [](Json& to, const char* name, const auto& value) {
    if (value) to[name] = *value;
  };
  add_field(out, "load", conditions.load);
  add_field(out, "steal_percent_since_boot", conditions.steal_percent_since_boot);
  if (!conditions.governor.empty()) out["governor"] = conditions.governor;
  for (const GpuState& gpu : conditions.gpus) {
    Json one = {{"index", gpu.index}, {"uuid", gpu.uuid}, {"name", gpu.name}, {"driver", gpu.driver}};
    add_field(one, "sm_mhz", gpu.sm_mhz);
    add_field(one, "memory_mhz", gpu.memory_mhz);
    add_field(one, "celsius", gpu.celsius);
    add_field(one, "watts", gpu.watts);
    add_field(one, "busy_percent", gpu.busy_percent);
    add_field(one, "used_mib", gpu.used_mib);
    if (gpu.reasons) one["clock_reasons"] = reasons_text(*gpu.reasons);
    add_field(one, "throttled_us", gpu.throttled_us);
    for (const std::optional<int>& id : gpu.processes) one["processes"].push_back(id ? Json(*id) : Json(nullptr));
    out["gpus"].push_back(std::move(one));
  }
  return out;
}

}  // namespace assay::record
