// The driver's own interface to its GPUs: NVML, loaded if it is there.
#pragma once

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

  /// Null without a driver.
  static const Nvml* loaded();

  [[nodiscard]] const std::string& file() const { return file_; }  ///< the library
  [[nodiscard]] std::string driver() const;
  [[nodiscard]] std::vector<Device> devices() const;  ///< by index
  /// GPU with that index or UUID; for an empty text the only one.
  [[nodiscard]] std::optional<Device> device(const std::string& gpu) const;
  [[nodiscard]] std::string uuid(Device device) const { return text(uuid_, device); }
  [[nodiscard]] std::string name(Device device) const { return text(name_, device); }

  enum Clock : unsigned { kSm = 1, kMemory = 2 };  ///< nvmlClockType_t
  [[nodiscard]] std::optional<unsigned> mhz(Device device, Clock of) const { return read(clock_, device, of); }
  [[nodiscard]] std::optional<unsigned> most_mhz(Device device, Clock of) const {
    return read(most_clock_, device, of);
  }
  [[nodiscard]] std::optional<unsigned> celsius(Device device) const { return read(temperature_, device, 0U); }
  [[nodiscard]] std::optional<unsigned> power_mw(Device device) const { return read(power_, device); }
  [[nodiscard]] std::optional<std::uint64_t> energy_mj(Device device) const { return read(energy_, device); }
  /// nvmlClocksEventReasons.
  [[nodiscard]] std::optional<std::uint64_t> reasons(Device device) const { return read(reasons_, device); }
  /// Accumulated time below the requested clock because of power or heat.
  [[nodiscard]] std::optional<std::uint64_t> throttled_us(Device device) const;
  [[nodiscard]] std::optional<unsigned> busy_percent(Device device) const;
  [[nodiscard]] std::optional<std::uint64_t> used_bytes(Device device) const;
  /// Processes that compute on the GPU; an empty id is hidden by the driver.
  [[nodiscard]] std::vector<std::optional<int>> processes(Device device) const;

 private:
  Nvml();

  using Text = int (*)(Device, char*, unsigned);
  [[nodiscard]] static std::string text(Text function, Device device) {
    std::array<char, 96> text{};
    return function != nullptr && function(device, text.data(), text.size()) == 0 ? text.data() : std::string();
  }
  template <class Value>
  [[nodiscard]] static std::optional<Value> read(int (*function)(Device, Value*), Device device) {
    Value value{};
    return function != nullptr && function(device, &value) == 0 ? std::optional(value) : std::nullopt;
  }
  [[nodiscard]] static std::optional<unsigned> read(int (*function)(Device, unsigned, unsigned*), Device device,
                                                    unsigned of) {
    unsigned value = 0;
    return function != nullptr && function(device, of, &value) == 0 ? std::optional(value) : std::nullopt;
  }

  bool ready_ = false;
  std::string file_;
  int (*count_)(unsigned*) = nullptr;
  int (*handle_)(unsigned, Device*) = nullptr;
  int (*driver_)(char*, unsigned) = nullptr;
  Text uuid_ = nullptr, name_ = nullptr;
  int (*energy_)(Device, unsigned long long*) = nullptr;
  int (*power_)(Device, unsigned*) = nullptr;
  int (*clock_)(Device, unsigned, unsigned*) = nullptr;
  int (*most_clock_)(Device, unsigned, unsigned*) = nullptr;
  int (*temperature_)(Device, unsigned, unsigned*) = nullptr;
  int (*reasons_)(Device, unsigned long long*) = nullptr;
  int (*fields_)(Device, int, void*) = nullptr;
  int (*utilization_)(Device, void*) = nullptr;
  int (*memory_)(Device, void*) = nullptr;
  int (*processes_)(Device, unsigned*, void*) = nullptr;
};

}  // namespace assay::record
