// The driver's own interface to its GPUs: NVML, loaded if it is there.
#pragma once

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::record {

/// The calls of NVML (libnvidia-ml.so.1, part of every driver) that are used, by the documented ABI. What a driver or
/// a GPU does not tell is empty.
class Nvml {
 public:
  using Device = void*;

  /// `library`: its name or path; check `works`.
  explicit Nvml(const char* library);
  [[nodiscard]] bool works() const { return library_ != nullptr; }
  /// Of the driver; null without one.
  static const Nvml* loaded();

  [[nodiscard]] std::string file() const;  ///< the library
  [[nodiscard]] std::string driver() const { return text("nvmlSystemGetDriverVersion"); }
  [[nodiscard]] std::vector<Device> devices() const;  ///< by index
  /// GPU with that index or UUID; for an empty text the only one.
  [[nodiscard]] std::optional<Device> device(const std::string& gpu) const;
  [[nodiscard]] std::string uuid(Device device) const { return text("nvmlDeviceGetUUID", device); }
  [[nodiscard]] std::string name(Device device) const { return text("nvmlDeviceGetName", device); }

  enum Clock : unsigned { kSm = 1, kMemory = 2 };  ///< nvmlClockType_t
  [[nodiscard]] std::optional<unsigned> mhz(Device device, Clock of) const {
    return value<unsigned>("nvmlDeviceGetClockInfo", device, static_cast<unsigned>(of));
  }
  [[nodiscard]] std::optional<unsigned> most_mhz(Device device, Clock of) const {
    return value<unsigned>("nvmlDeviceGetMaxClockInfo", device, static_cast<unsigned>(of));
  }
  [[nodiscard]] std::optional<unsigned> celsius(Device device) const {
    return value<unsigned>("nvmlDeviceGetTemperature", device, 0U);
  }
  [[nodiscard]] std::optional<unsigned> power_mw(Device device) const {
    return value<unsigned>("nvmlDeviceGetPowerUsage", device);
  }
  [[nodiscard]] std::optional<std::uint64_t> energy_mj(Device device) const {
    return value<std::uint64_t>("nvmlDeviceGetTotalEnergyConsumption", device);
  }
  /// nvmlClocksEventReasons.
  [[nodiscard]] std::optional<std::uint64_t> reasons(Device device) const;
  /// Accumulated time below the requested clock because of power or heat.
  [[nodiscard]] std::optional<std::uint64_t> throttled_us(Device device) const;
  [[nodiscard]] std::optional<unsigned> busy_percent(Device device) const;
  [[nodiscard]] std::optional<std::uint64_t> used_bytes(Device device) const;
  /// Processes that compute on the GPU; an empty id is hidden by the driver.
  [[nodiscard]] std::vector<std::optional<int>> processes(Device device) const;

 private:
  /// Whether there is such a function and it succeeds.
  template <class... Arguments>
  bool call(const char* function, Arguments... arguments) const {
    const auto at = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, function));
    return at != nullptr && at(arguments...) == 0;
  }
  /// What it writes behind its arguments.
  template <class Value, class... Arguments>
  [[nodiscard]] std::optional<Value> value(const char* function, Arguments... arguments) const {
    Value value{};
    return call(function, arguments..., &value) ? std::optional(value) : std::nullopt;
  }
  template <class... Arguments>
  [[nodiscard]] std::string text(const char* function, Arguments... arguments) const {
    std::array<char, 96> text{};
    return call(function, arguments..., text.data(), static_cast<unsigned>(text.size())) ? text.data() : std::string();
  }

  void* library_;
};

}  // namespace assay::record
