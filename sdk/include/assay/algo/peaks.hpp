// Peak rates of a device: dense rates of its units in FLOP/s, and bytes/s of its memory.
//
// Definition: multiprocessors x clock x FLOPs per multiprocessor and clock, from one table by architecture and type,
// with sources. Sparse rates, which data sheets also print, are never used. Multiprocessors, clock and bandwidth come
// from the report, otherwise from the data sheet of a device with that name; what is in neither is unknown and has no
// roof.
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
/// "fp64", "fp64 matrix", "fp32", "tf32", "fp16" (for bf16 too), "fp8", "int8".
std::string_view rate_name(Rate rate);

/// Dense FLOPs per multiprocessor and clock cycle, by Rate; 0: no such unit, or unknown.
struct ArchitectureRates {
  std::string_view name;      ///< "sm_90", "gfx942"
  std::int32_t major, minor;  ///< compute capability; -1: AMD, identified by device name
  std::array<double, kRates> per_clock;
  std::string_view source;  ///< white paper or data sheet
};
std::span<const ArchitectureRates> architecture_rates();

/// Data sheet of a device.
struct DeviceSheet {
  std::string_view words;  ///< separated by blanks; all must occur in its name as whole words
  std::string_view architecture;
  std::int32_t multiprocessors;  ///< 0: unknown, also below
  double clock;                  ///< Hz, for which the published dense rates are valid
  double bandwidth;              ///< bytes/s
  double share;  ///< of the architecture's matrix rates: half on GeForce with fp32 accumulation (not int8), and on the
                 ///< L40
};
/// Every known device; the first whose words fit applies.
std::span<const DeviceSheet> device_sheets();

struct Peaks {
  std::array<double, kRates> flops_per_s{};  ///< 0: not known
  double bytes_per_s = 0;                    ///< 0: not known
  std::string device, architecture;          ///< empty: not known
  double clock = 0;                          ///< Hz, at which `flops_per_s` is reached; 0: not known
  std::string sources;                       ///< origin of multiprocessors, clock and bandwidth, for people

  /// FLOP/s; 0: not known.
  [[nodiscard]] double flops(Rate rate) const { return flops_per_s[static_cast<std::size_t>(rate)]; }
};

/// Device properties from a report; unknown ones are empty, kNone or 0.
struct DeviceNumbers {
  std::string name = {};
  std::int32_t major = kNone, minor = kNone;  ///< compute capability
  double multiprocessors = 0, clock = 0;      ///< Hz
  double bandwidth = 0;                       ///< bytes/s
};
/// Peaks of a device, with unknown numbers from the data sheet of its name; what neither has is 0. GeForce cards have
/// half the matrix rates of their architecture, others do not: if both exist and the name does not identify the card,
/// matrix rates are unknown.
Peaks peaks_of(const DeviceNumbers& device);

/// Like peaks_of, for a row of devices. `name`: replaces the name in the report; empty: uses that. Beyond the last row
/// only `name` counts.
Peaks peaks_of(const DeviceTable& devices, std::size_t row, std::string_view name = {});

/// Replaces a computed peak by a measured one, "bf16: 7.9e14" or "memory: 3.0e12" (FLOP/s, bytes/s, > 0). Throws
/// std::invalid_argument with a sentence for any other text.
void set_measured_peaks(Peaks& peaks, std::string_view text);

/// Units that compute an operation on such operands; `matrix`: a product. `tensor_cores`: whether the kernel's name
/// shows them, which distinguishes TF32 from fp32.
Rate rate_of(Element math, bool matrix, bool tensor_cores);

/// Whether, according to its name (cuBLAS, CUTLASS), a kernel multiplies fp32 operands as TF32.
bool runs_tf32(std::string_view kernel_name);

/// Minimum time of work, in ns: the maximum of both parts (Williams, Waterman and Patterson 2009).
struct Roof {
  double compute_ns = 0, memory_ns = 0;
  [[nodiscard]] double ns() const { return compute_ns > memory_ns ? compute_ns : memory_ns; }
  /// Whether memory takes at least as long.
  [[nodiscard]] bool by_memory() const { return memory_ns >= compute_ns; }
};
/// Roof of `flops` FLOPs and `bytes` bytes; empty if the bandwidth, or for FLOPs the peak, is not known.
std::optional<Roof> roof_of(const Peaks& peaks, Rate rate, double flops, double bytes);

}  // namespace assay::roofline
