#include "record/nvml.hpp"

#include <dlfcn.h>

#include <algorithm>

namespace assay::record {
namespace {

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

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

Nvml::Nvml() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  int (*init)() = nullptr;
  find(library, "nvmlInit_v2", init);
  find(library, "nvmlDeviceGetCount_v2", count_);
  find(library, "nvmlDeviceGetHandleByIndex_v2", handle_);
  find(library, "nvmlSystemGetDriverVersion", driver_);
  find(library, "nvmlDeviceGetUUID", uuid_);
  find(library, "nvmlDeviceGetName", name_);
  find(library, "nvmlDeviceGetTotalEnergyConsumption", energy_);
  find(library, "nvmlDeviceGetPowerUsage", power_);
  find(library, "nvmlDeviceGetClockInfo", clock_);
  find(library, "nvmlDeviceGetMaxClockInfo", most_clock_);
  find(library, "nvmlDeviceGetTemperature", temperature_);
  find(library, "nvmlDeviceGetCurrentClocksEventReasons", reasons_);
  if (reasons_ == nullptr) find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", reasons_);
  find(library, "nvmlDeviceGetFieldValues", fields_);
  find(library, "nvmlDeviceGetUtilizationRates", utilization_);
  find(library, "nvmlDeviceGetMemoryInfo_v2", memory_);
  find(library, "nvmlDeviceGetComputeRunningProcesses_v3", processes_);
  ready_ = init != nullptr && count_ != nullptr && handle_ != nullptr && uuid_ != nullptr && init() == 0;
  Dl_info where{};
  if (ready_ && dladdr(reinterpret_cast<void*>(init), &where) != 0) file_ = where.dli_fname;
}

const Nvml* Nvml::loaded() {
  static const Nvml nvml;
  return nvml.ready_ ? &nvml : nullptr;
}

std::string Nvml::driver() const {
  std::array<char, 96> text{};
  return driver_ != nullptr && driver_(text.data(), text.size()) == 0 ? text.data() : std::string();
}

std::vector<Nvml::Device> Nvml::devices() const {
  unsigned count = 0;
  if (count_(&count) != 0) return {};
  std::vector<Device> devices(count, nullptr);
  for (unsigned i = 0; i < count; ++i) {
    if (handle_(i, &devices[i]) != 0) devices[i] = nullptr;
  }
  return devices;
}

std::optional<Nvml::Device> Nvml::device(const std::string& gpu) const {
  const std::vector<Device> all = devices();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != nullptr && (gpu == std::to_string(i) || gpu == uuid(all[i]))) return all[i];
  }
  return gpu.empty() && all.size() == 1 && all.front() != nullptr ? std::optional(all.front()) : std::nullopt;
}

std::optional<std::uint64_t> Nvml::throttled_us(Device device) const {
  // NVML_FI_DEV_CLOCKS_EVENT_REASON_: SW_POWER_CAP, SW_THERM_SLOWDOWN, HW_THERM_SLOWDOWN, HW_POWER_BRAKE_SLOWDOWN, in
  // ns; NVML_FI_DEV_PERF_POLICY_THERMAL, which drivers have that do not part heat (580 on an H200).
  std::array<Field, 5> fields = {Field{74}, Field{251}, Field{252}, Field{253}, Field{75}};
  if (fields_ == nullptr || fields_(device, fields.size(), fields.data()) != 0) return std::nullopt;
  if (fields[1].result == 0) fields[4].result = 1;
  std::optional<std::uint64_t> ns;
  for (const Field& field : fields) {
    if (field.result == 0) ns = ns.value_or(0) + field.value;
  }
  return ns ? std::optional(*ns / 1000) : std::nullopt;
}

std::optional<unsigned> Nvml::busy_percent(Device device) const {
  Utilization rates;
  return utilization_ != nullptr && utilization_(device, &rates) == 0 ? std::optional(rates.gpu) : std::nullopt;
}

std::optional<std::uint64_t> Nvml::used_bytes(Device device) const {
  Memory memory;
  return memory_ != nullptr && memory_(device, &memory) == 0 ? std::optional<std::uint64_t>(memory.used) : std::nullopt;
}

std::vector<std::optional<int>> Nvml::processes(Device device) const {
  std::array<Process, 256> found{};
  auto count = static_cast<unsigned>(found.size());
  std::vector<std::optional<int>> ids;
  if (processes_ == nullptr || processes_(device, &count, found.data()) != 0) return ids;
  for (unsigned i = 0; i < std::min<std::size_t>(count, found.size()); ++i)
    ids.push_back(found[i].id == 0 ? std::nullopt : std::optional(static_cast<int>(found[i].id)));
  return ids;
}

}  // namespace assay::record
