#include "assay/algo/peaks.hpp"

#include <algorithm>
#include <stdexcept>

#include "assay/algo/kernel_classes.hpp"
#include "assay/detail/text.hpp"
#include "assay/words.hpp"

namespace assay::roofline {
namespace {

constexpr std::array<std::string_view, kRates> kRateNames = {"fp64", "fp64 matrix", "fp32", "tf32",
                                                             "fp16", "fp8",         "int8"};

// clang-format off: a table
/// Order: fp64, fp64 matrix, fp32, tf32, fp16 and bf16, fp8, int8. Dense rates; matrix units accumulate in fp32
/// (int32).
constexpr ArchitectureRates kArchitectures[] = {
    {"sm_70", 7, 0, {64, 64, 128, 0, 1024, 0, 256}, "whitepaper NVIDIA Tesla V100 GPU Architecture"},
    {"sm_75", 7, 5, {4, 4, 128, 0, 1024, 0, 2048}, "whitepaper NVIDIA Turing GPU Architecture"},
    {"sm_80", 8, 0, {64, 128, 128, 1024, 2048, 0, 4096}, "whitepaper NVIDIA A100 Tensor Core GPU Architecture"},
    {"sm_86",
     8,
     6,
     {4, 4, 256, 512, 1024, 0, 2048},
     "whitepaper NVIDIA Ampere GA102 GPU Architecture; data sheet of A40"},
    {"sm_89", 8, 9, {4, 4, 256, 512, 1024, 2048, 2048}, "whitepaper NVIDIA Ada GPU Architecture; data sheet of L40S"},
    {"sm_90", 9, 0, {128, 256, 256, 2048, 4096, 8192, 8192}, "whitepaper NVIDIA H100 Tensor Core GPU Architecture"},
    {"sm_100", 10, 0, {128, 128, 256, 4096, 8192, 16384, 16384}, "data sheet of HGX B200, sparse rates halved"},
    {"sm_103", 10, 3, {0, 0, 256, 4096, 8192, 16384, 0}, "data sheet of HGX B300, sparse rates halved"},
    {"sm_120", 12, 0, {4, 4, 256, 512, 1024, 2048, 2048}, "whitepaper NVIDIA RTX Blackwell GPU Architecture"},
    {"gfx90a",
     -1,
     -1,
     {128, 256, 256, 0, 1024, 0, 1024},
     "whitepaper AMD CDNA 2; data sheet of MI250X, one of two dies; fp32 packed or matrix"},
    {"gfx942", -1, -1, {128, 256, 256, 1024, 2048, 4096, 4096}, "whitepaper AMD CDNA 3; data sheet of MI300X"},
    {"gfx950", -1, -1, {128, 128, 256, 0, 4096, 8192, 8192}, "whitepaper AMD CDNA 4; data sheet of MI355X"},
};

/// The first entry whose words all occur in the device name applies. Clock: the one at which the published dense rates
/// hold, usually boost.
constexpr DeviceSheet kSheets[] = {
    {"GH200", "sm_90", 132, 1.83e9, 4.0e12, 1},
    {"H200 NVL", "sm_90", 132, 1.545e9, 4.8e12, 1},
    {"H200", "sm_90", 132, 1.83e9, 4.8e12, 1},
    {"H100 NVL", "sm_90", 132, 1.545e9, 3.938e12, 1},
    {"H100 PCIe", "sm_90", 114, 1.62e9, 2.039e12, 1},
    {"H100", "sm_90", 132, 1.83e9, 3.352e12, 1},
    {"B200", "sm_100", 148, 1.855e9, 8.0e12, 1},
    {"A100 80GB PCIe", "sm_80", 108, 1.41e9, 1.935e12, 1},
    {"A100-SXM4-80GB", "sm_80", 108, 1.41e9, 2.039e12, 1},
    {"A100-SXM4-40GB", "sm_80", 108, 1.41e9, 1.555e12, 1},
    {"A100-PCIE-40GB", "sm_80", 108, 1.41e9, 1.555e12, 1},
    {"A40", "sm_86", 84, 1.74e9, 6.96e11, 1},
    {"L40S", "sm_89", 142, 2.52e9, 8.64e11, 1},
    {"L40", "sm_89", 142, 2.49e9, 8.64e11, 0.5},
    {"L4", "sm_89", 58, 2.04e9, 3.0e11, 1},
    {"V100-PCIE", "sm_70", 80, 1.38e9, 9.0e11, 1},
    {"V100-SXM3", "sm_70", 80, 1.597e9, 9.81e11, 1},
    {"V100", "sm_70", 80, 1.53e9, 9.0e11, 1},
    {"T4", "sm_75", 40, 1.59e9, 3.2e11, 1},
    {"GeForce RTX 3090 Ti", "sm_86", 84, 1.86e9, 1.008e12, 0.5},
    {"GeForce RTX 3090", "sm_86", 82, 1.695e9, 9.36e11, 0.5},
    {"GeForce RTX 4090", "sm_89", 128, 2.52e9, 1.008e12, 0.5},
    {"GeForce RTX 5090", "sm_120", 170, 2.407e9, 1.792e12, 0.5},
    {"GeForce RTX 5070", "sm_120", 48, 2.512e9, 6.72e11, 0.5},
    {"MI355X", "gfx950", 256, 2.4e9, 8.0e12, 1},
    {"MI350X", "gfx950", 256, 2.2e9, 8.0e12, 1},
    {"MI325X", "gfx942", 304, 2.1e9, 6.0e12, 1},
    {"MI300X", "gfx942", 304, 2.1e9, 5.3e12, 1},
    {"MI300A", "gfx942", 228, 2.1e9, 5.3e12, 1},
    {"MI250X", "gfx90a", 110, 1.7e9, 1.638e12, 1},
    {"MI250", "gfx90a", 104, 1.7e9, 1.638e12, 1},
    {"MI210", "gfx90a", 104, 1.7e9, 1.638e12, 1},
    {"gfx950", "gfx950", 0, 0, 0, 1},
    {"gfx942", "gfx942", 0, 0, 0, 1},
    {"gfx90a", "gfx90a", 0, 0, 0, 1},
};
// clang-format on

/// Whether all words occur in the name as whole words: "H100" does not match "GH1000".
bool names(std::string_view name, std::string_view words) {
  const auto is_part = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  bool all = true;
  each_part(words, ' ', [&](std::string_view word) {
    bool found = false;
    for (std::size_t at = name.find(word); at != std::string_view::npos && !found; at = name.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      found = (at == 0 || !is_part(name[at - 1])) && (end == name.size() || !is_part(name[end]));
    }
    all = all && found;
  });
  return all;
}

const DeviceSheet* sheet_of(std::string_view name) {
  const auto at = std::find_if(std::begin(kSheets), std::end(kSheets),
                               [&](const DeviceSheet& sheet) { return names(name, sheet.words); });
  return at == std::end(kSheets) ? nullptr : at;
}

/// NVIDIA devices are identified by compute capability. AMD's numbers have another meaning, so AMD devices are
/// identified by name.
const ArchitectureRates* rates_of(const DeviceSheet* sheet, std::int32_t major, std::int32_t minor) {
  const std::string_view named = sheet == nullptr ? std::string_view() : sheet->architecture;
  const bool by_name = named.starts_with("gfx") || major <= 0;
  for (const ArchitectureRates& rates : kArchitectures) {
    if (by_name ? rates.name == named : rates.major == major && rates.minor == minor) return &rates;
  }
  return nullptr;
}

/// Whether some device of the architecture has halved matrix rates, so that the architecture alone does not determine
/// them.
bool has_halved(std::string_view architecture) {
  return std::any_of(std::begin(kSheets), std::end(kSheets),
                     [&](const DeviceSheet& sheet) { return sheet.architecture == architecture && sheet.share != 1; });
}

/// GeForce halves the matrix rates that accumulate in fp32 but not the integer rates; the L40 halves both.
bool is_halved(Rate rate, const DeviceSheet* sheet) {
  const bool geforce = sheet == nullptr || sheet->words.starts_with("GeForce");
  return rate == Rate::kTf32 || rate == Rate::kFp16 || rate == Rate::kFp8 || (rate == Rate::kInt8 && !geforce);
}

template <class T>
T cell(const Column<T>& column, std::size_t row) {
  return column.present() ? column[row] : static_cast<T>(kNone);
}

}  // namespace

std::string_view rate_name(Rate rate) { return kRateNames[static_cast<std::size_t>(rate)]; }

std::span<const ArchitectureRates> architecture_rates() { return kArchitectures; }

std::span<const DeviceSheet> device_sheets() { return kSheets; }

Peaks peaks_of(const DeviceNumbers& device) {
  Peaks peaks;
  peaks.device = device.name;
  const DeviceSheet* sheet = sheet_of(peaks.device);
  const bool amd = names(peaks.device, "AMD") || names(peaks.device, "Instinct");
  const ArchitectureRates* rates = rates_of(sheet, amd ? kNone : device.major, amd ? kNone : device.minor);
  double units = device.multiprocessors, clock = device.clock, bandwidth = device.bandwidth;
  const bool own_units = units > 0, own_clock = clock > 0, own_bandwidth = bandwidth > 0;
  if (!own_units) units = sheet == nullptr ? 0 : sheet->multiprocessors;
  if (!own_clock) clock = sheet == nullptr ? 0 : sheet->clock;
  if (!own_bandwidth) bandwidth = sheet == nullptr ? 0 : sheet->bandwidth;
  peaks.bytes_per_s = std::max(bandwidth, 0.0);
  peaks.clock = std::max(clock, 0.0);
  if (rates != nullptr) {
    peaks.architecture = rates->name;
    const double matrix_share = sheet != nullptr ? sheet->share : has_halved(rates->name) ? 0 : 1;
    for (std::size_t r = 0; r < kRates; ++r) {
      const double share = is_halved(static_cast<Rate>(r), sheet) ? matrix_share : 1;
      if (units > 0 && clock > 0) peaks.flops_per_s[r] = units * clock * rates->per_clock[r] * share;
    }
  }
  const auto source_text = [](const char* what, double value, const char* unit, bool own, const char* sheet_words) {
    if (value <= 0) return std::string(what) + " not known";
    return printed("%.0f %s ", value, unit) + (own ? "of the profile" : sheet_words);
  };
  peaks.sources =
      filled("{}, {}, memory {}",
             {source_text("multiprocessors", units, "multiprocessors", own_units, "of the data sheet"),
              source_text("clock", peaks.clock / 1e6, "MHz", own_clock, "of the data sheet's dense rates"),
              source_text("bandwidth", peaks.bytes_per_s / 1e9, "GB/s", own_bandwidth, "of the data sheet")});
  return peaks;
}

Peaks peaks_of(const DeviceTable& devices, std::size_t row, std::string_view name) {
  DeviceNumbers device{std::string(name)};
  if (row >= devices.rows) return peaks_of(device);
  if (name.empty()) device.name = devices.name[row].view();
  device.major = cell(devices.compute_major, row);
  device.minor = cell(devices.compute_minor, row);
  device.multiprocessors = cell(devices.sm_count, row);
  device.clock = static_cast<double>(cell(devices.clock_rate, row));
  device.bandwidth = static_cast<double>(cell(devices.memory_bandwidth, row));
  return peaks_of(device);
}

void set_measured_peaks(Peaks& peaks, std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view what = without_spaces(text.substr(0, colon));
  const std::string_view number = colon == std::string_view::npos ? "" : without_spaces(text.substr(colon + 1));
  const double value = number_in<double>(number).value_or(0);
  const auto at = std::find(kRateNames.begin(), kRateNames.end(), what == "bf16" ? "fp16" : what);
  if (!(value > 0) || (at == kRateNames.end() && what != "memory")) {
    throw std::invalid_argument("the measured roof '" + std::string(text) +
                                "' cannot be read; expected 'memory: BYTES_PER_S' or 'TYPE: FLOPS_PER_S' with one of "
                                "fp64, fp64 matrix, fp32, tf32, fp16, bf16, fp8, int8");
  }
  (what == "memory" ? peaks.bytes_per_s : peaks.flops_per_s[static_cast<std::size_t>(at - kRateNames.begin())]) = value;
}

Rate rate_of(Element math, bool matrix, bool tensor_cores) {
  switch (math) {
    case Element::kFloat64:
    case Element::kComplex128:
      return matrix ? Rate::kFp64Matrix : Rate::kFp64;
    case Element::kFloat16:
    case Element::kBFloat16:
      return matrix ? Rate::kFp16 : Rate::kFp32;
    case Element::kFloat8:
      return matrix ? Rate::kFp8 : Rate::kFp32;
    case Element::kInt8:
      return matrix ? Rate::kInt8 : Rate::kFp32;
    case Element::kUnknown:
    case Element::kFloat32:
    case Element::kComplex64:
      return matrix && tensor_cores ? Rate::kTf32 : Rate::kFp32;
    default:
      return Rate::kFp32;
  }
}

/// cuBLAS and CUTLASS put the type or TF32's instruction m16n8k8 into the name; all nvjet kernels use matrix units.
bool runs_tf32(std::string_view kernel_name) {
  for (const std::string_view word : {"tf32", "TF32", "nvjet", "s1688"})
    if (kernel_name.find(word) != std::string_view::npos) return true;
  return false;
}

std::optional<Roof> roof_of(const Peaks& peaks, Rate rate, double flops, double bytes) {
  const double peak = peaks.flops(rate);
  if (peaks.bytes_per_s <= 0 || (flops > 0 && peak <= 0)) return std::nullopt;
  constexpr double kNs = 1e9;
  return Roof{flops > 0 ? kNs * flops / peak : 0, kNs * bytes / peaks.bytes_per_s};
}

}  // namespace assay::roofline
