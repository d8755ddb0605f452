// What a device could do at most: dense rates of its units, and bytes/s of its memory.
//
// Definition: multiprocessors x clock x FLOPs per multiprocessor and clock, of one table by architecture and type, with
// sources. Sparse rates, which data sheets print beside dense ones, are never used. Multiprocessors, clock and
// bandwidth are the report's where it says them, else those of the data sheet of a device of that name; what neither
// says is not known, and has no roof.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "assay/detail/operands.hpp"
#include "assay/report.hpp"

namespace assay::roofline {

/// Units that multiply, by type.
enum class Rate : std::uint8_t { kFp64, kFp64Matrix, kFp32, kTf32, kFp16, kFp8, kInt8 };
inline constexpr std::size_t kRates = 7;
/// "fp32", "bf16" (which runs as fp16 does), ...
std::string_view rate_name(Rate rate);

/// FLOPs per multiprocessor and clock; 0: it has no such unit, or it is not known.
struct ArchitectureRates {
  std::string_view name;      ///< "sm_90", "gfx942"
  std::int32_t major, minor;  ///< compute capability; -1: of AMD, told by the name of the device
  std::array<double, kRates> per_clock;
  std::string_view source;
};
std::span<const ArchitectureRates> architecture_rates();

/// What data sheets say of a device.
struct DeviceSheet {
  std::string_view words;  ///< all of them stand in its name; by blanks
  std::string_view architecture;
  std::int32_t multiprocessors;
  double clock;      ///< Hz, at which the published dense rates hold
  double bandwidth;  ///< bytes/s
  double share;  ///< of the architecture's matrix rates: half on GeForce with sums in fp32 (not int8), and on the L40
};
std::span<const DeviceSheet> device_sheets();

struct Peaks {
  std::array<double, kRates> flops_per_s{};  ///< 0: not known
  double bytes_per_s = 0;                    ///< 0: not known
  std::string device, architecture;          ///< empty: not known
  double clock = 0;
  std::string sources;  ///< where multiprocessors, clock and bandwidth come from, for people

  [[nodiscard]] double flops(Rate rate) const { return flops_per_s[static_cast<std::size_t>(rate)]; }
};

/// What a report says of a device; what it does not say is empty, kNone or 0.
struct DeviceNumbers {
  std::string name = {};
  std::int32_t major = kNone, minor = kNone;  ///< compute capability
  double multiprocessors = 0, clock = 0;      ///< Hz
  double bandwidth = 0;                       ///< bytes/s
};
/// GeForce cards halve the matrix rates of their architecture and others do not: where both exist and the name does not
/// tell which it is, matrix rates are not known.
Peaks peaks_of(const DeviceNumbers& device);

/// Of a row of devices. `name`: in the place of what the report calls it; empty: that.
Peaks peaks_of(const DeviceTable& devices, std::size_t row, std::string_view name = {});

/// Roofs that were measured, "bf16: 7.9e14" or "memory: 3.0e12" (FLOP/s, bytes/s), in the place of computed ones.
/// Throws std::invalid_argument with a sentence for anything else.
void set_measured_peaks(Peaks& peaks, std::string_view text);

/// The units that a product of such operands runs on. `tensor_cores`: whether the kernel's name says so, which tells
/// TF32 from fp32.
Rate rate_of(Element math, bool matrix, bool tensor_cores);

/// Whether a kernel's name says that fp32 operands are multiplied as TF32.
bool runs_tf32(std::string_view kernel_name);

/// The time that work needs at least: the longer of both; nothing where its roof is not known.
struct Roof {
  double compute_ns = 0, memory_ns = 0;
  [[nodiscard]] double ns() const { return compute_ns > memory_ns ? compute_ns : memory_ns; }
  [[nodiscard]] bool by_memory() const { return memory_ns >= compute_ns; }
};
std::optional<Roof> roof_of(const Peaks& peaks, Rate rate, double flops, double bytes);

}  // namespace assay::roofline
