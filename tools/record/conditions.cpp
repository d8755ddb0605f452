#include "record/conditions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>

#include "child/child.hpp"
#include "record/process.hpp"

namespace assay::record {
namespace {

constexpr std::chrono::seconds kAnswerTime{20};

/// Names of nvidia-smi for the bits of nvmlClocksEventReasons.
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

constexpr std::array<std::string_view, 4> kCounters = {
    "clocks_event_reasons_counters.sw_power_cap", "clocks_event_reasons_counters.sw_thermal_slowdown",
    "clocks_event_reasons_counters.hw_thermal_slowdown", "clocks_event_reasons_counters.hw_power_brake_slowdown"};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) {
    const std::size_t first = cell.find_first_not_of(" \t\r"), last = cell.find_last_not_of(" \t\r");
    cells.push_back(first == std::string::npos ? std::string() : cell.substr(first, last - first + 1));
  }
  return cells;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> bits(const std::string& text) {
  if (!text.starts_with("0x")) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  return problem == std::errc() ? std::optional(value) : std::nullopt;
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

Observer::Observer() : program_(program_path("nvidia-smi", ".")) {
  event_words_ = knows("clocks_event_reasons.active");
  std::string all;
  for (const std::string_view field : kCounters) all += (all.empty() ? "" : ",") + std::string(field);
  counters_ = knows(all);
}

bool Observer::knows(const std::string& fields) const { return has_gpus() && !query("--query-gpu=" + fields).empty(); }

std::string Observer::query(const std::string& query) const {
  const process::ProcessResult answer =
      process::run_to_end({program_, {query, "--format=csv,noheader,nounits"}}, kAnswerTime);
  return answer.status.success() ? answer.said : std::string();
}

std::string Observer::clocks_text() const {
  std::string text;
  std::istringstream lines(has_gpus() ? query("--query-gpu=index,name,clocks.sm,clocks.max.sm") : std::string());
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> c = cells_of(line);
    if (c.size() != 4 || !number(c[3])) continue;
    text += fmt::format(
        "GPU {} ({}): SM clock {} MHz now, at most {}; unless you lock it (nvidia-smi -i {} --lock-gpu-clocks=MHZ) it "
        "varies with power and temperature\n",
        c[0], c[1], c[2], c[3], c[0]);
  }
  return text;
}

Conditions Observer::look() const {
  Conditions seen;
  seen.load = number(first_line("/proc/loadavg"));
  seen.steal_percent_since_boot = steal_percent();
  seen.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (!has_gpus()) return seen;
  std::string fields =
      "index,uuid,name,driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw,utilization.gpu,memory.used,";
  fields += event_words_ ? "clocks_event_reasons.active" : "clocks_throttle_reasons.active";
  if (counters_) {
    for (const std::string_view counter : kCounters) fields += "," + std::string(counter);
  }
  std::istringstream lines(query("--query-gpu=" + fields));
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> c = cells_of(line);
    if (c.size() < 11) continue;
    GpuState gpu{c[0],
                 c[1],
                 c[2],
                 c[3],
                 number(c[4]),
                 number(c[5]),
                 number(c[6]),
                 number(c[7]),
                 number(c[8]),
                 number(c[9]),
                 bits(c[10]),
                 std::nullopt,
                 {}};
    for (std::size_t i = 11; i < c.size(); ++i) {
      if (const auto us = number(c[i]))
        gpu.throttled_us = gpu.throttled_us.value_or(0) + static_cast<std::uint64_t>(*us);
    }
    seen.gpus.push_back(std::move(gpu));
  }
  std::istringstream processes(query("--query-compute-apps=gpu_uuid,pid"));
  for (std::string line; std::getline(processes, line);) {
    const std::vector<std::string> c = cells_of(line);
    for (GpuState& gpu : seen.gpus) {
      if (c.size() != 2 || c[0] != gpu.uuid) continue;
      const std::optional<double> id = number(c[1]);
      gpu.processes.push_back(id ? std::optional(static_cast<int>(*id)) : std::nullopt);
    }
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
