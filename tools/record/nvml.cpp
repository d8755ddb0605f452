#include "record/nvml.hpp"

#include <algorithm>

namespace assay::record {
namespace {

/// nvmlFieldValue_t.
struct Field {
  unsigned id = 0, scope = 0;
  long long time = 0, latency = 0;
  unsigned type = 0, result = 0;
  unsigned long long value = 0;
};

/// nvmlUtilization_t.
struct Utilization {
  unsigned gpu = 0, memory = 0;
};

/// nvmlMemory_v2_t.
struct Memory {
  unsigned version = sizeof(Memory) | 2U << 24U;
  unsigned long long total = 0, reserved = 0, free = 0, used = 0;
};

/// nvmlProcessInfo_t.
struct Process {
  unsigned id = 0;
  unsigned long long used = 0;
  unsigned gpu_instance = 0, compute_instance = 0;
};

}  // namespace

Nvml::Nvml(const char* library) : library_(dlopen(library, RTLD_NOW | RTLD_LOCAL)) {
  if (library_ != nullptr && !call("nvmlInit_v2")) library_ = nullptr;
}

const Nvml* Nvml::loaded() {
  static const Nvml nvml("libnvidia-ml.so.1");
  return nvml.works() ? &nvml : nullptr;
}

std::string Nvml::file() const {
  Dl_info where{};
  return dladdr(dlsym(library_, "nvmlInit_v2"), &where) != 0 ? where.dli_fname : std::string();
}

std::vector<Nvml::Device> Nvml::devices() const {
  std::vector<Device> devices(value<unsigned>("nvmlDeviceGetCount_v2").value_or(0), nullptr);
  for (unsigned i = 0; i < devices.size(); ++i)
    devices[i] = value<Device>("nvmlDeviceGetHandleByIndex_v2", i).value_or(nullptr);
  return devices;
}

std::optional<Nvml::Device> Nvml::device(const std::string& gpu) const {
  const std::vector<Device> all = devices();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != nullptr && (gpu == std::to_string(i) || gpu == uuid(all[i]))) return all[i];
  }
  return gpu.empty() && all.size() == 1 && all.front() != nullptr ? std::optional(all.front()) : std::nullopt;
}

std::optional<std::uint64_t> Nvml::reasons(Device device) const {
  const auto mask = value<std::uint64_t>("nvmlDeviceGetCurrentClocksEventReasons", device);
  return mask ? mask : value<std::uint64_t>("nvmlDeviceGetCurrentClocksThrottleReasons", device);  // before 535
}

std::optional<std::uint64_t> Nvml::throttled_us(Device device) const {
  // NVML_FI_DEV_CLOCKS_EVENT_REASON_: SW_POWER_CAP, SW_THERM_SLOWDOWN, HW_THERM_SLOWDOWN, HW_POWER_BRAKE_SLOWDOWN, in
  // ns; NVML_FI_DEV_PERF_POLICY_THERMAL, which drivers have that do not part heat (580 on an H200).
  std::array<Field, 5> fields = {Field{74}, Field{251}, Field{252}, Field{253}, Field{75}};
  if (!call("nvmlDeviceGetFieldValues", device, static_cast<int>(fields.size()), fields.data())) return std::nullopt;
  if (fields[1].result == 0) fields[4].result = 1;
  std::optional<std::uint64_t> ns;
  for (const Field& field : fields) {
    if (field.result == 0) ns = ns.value_or(0) + field.value;
  }
  return ns ? std::optional(*ns / 1000) : std::nullopt;
}

std::optional<unsigned> Nvml::busy_percent(Device device) const {
  const auto rates = value<Utilization>("nvmlDeviceGetUtilizationRates", device);
  return rates ? std::optional(rates->gpu) : std::nullopt;
}

std::optional<std::uint64_t> Nvml::used_bytes(Device device) const {
  const auto memory = value<Memory>("nvmlDeviceGetMemoryInfo_v2", device);
  return memory ? std::optional<std::uint64_t>(memory->used) : std::nullopt;
}

std::vector<std::optional<int>> Nvml::processes(Device device) const {
  std::array<Process, 256> found{};
  auto count = static_cast<unsigned>(found.size());
  std::vector<std::optional<int>> ids;
  if (!call("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, found.data())) return ids;
  for (unsigned i = 0; i < std::min<std::size_t>(count, found.size()); ++i)
    ids.push_back(found[i].id == 0 ? std::nullopt : std::optional(static_cast<int>(found[i].id)));
  return ids;
}

}  // namespace assay::record
