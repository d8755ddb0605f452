#include "occupancy.hpp"

#include <algorithm>
#include <cmath>

namespace assay::step {
namespace {

// NVIDIA hardware since compute capability 3.0, from cuda_occupancy.h and the programming guide.
constexpr std::int64_t kWarp = 32;               // threads
constexpr std::int64_t kRegisterUnit = 256;      // registers are allocated to warps in this unit
constexpr std::int64_t kPartitions = 4;          // register files of a multiprocessor
constexpr std::int32_t kAmpere = 8;              // from this major version on:
constexpr std::int64_t kReservedShared = 1024;   // bytes reserved by the system in every block
constexpr std::int64_t kSharedUnit = 128;        // and the unit of shared memory allocation in bytes;
constexpr std::int64_t kSharedUnitBefore = 256;  // before that
constexpr std::int64_t kMinBlockLimit = 16;      // of a multiprocessor, on the devices with the fewest

constexpr std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

std::int64_t by_registers(const SmLimits& limits, const BlockNeeds& needs, std::int64_t warps) {
  const std::int64_t a_warp = rounded_up(needs.registers * kWarp, kRegisterUnit);
  return limits.registers / kPartitions / a_warp * kPartitions / warps;
}

std::int64_t by_shared(const SmLimits& limits, const BlockNeeds& needs) {
  const bool ampere = limits.compute_major >= kAmpere;
  const std::int64_t a_block =
      ampere ? rounded_up(needs.shared + kReservedShared, kSharedUnit) : rounded_up(needs.shared, kSharedUnitBefore);
  return a_block == 0 ? std::numeric_limits<std::int64_t>::max() : limits.shared / a_block;
}

template <class T>
T cell(const Column<T>& column, std::size_t row, T absent) {
  return column.present() ? column[row] : absent;
}

/// x * y * z, or empty.
std::optional<std::int64_t> volume(const Column<std::int32_t>& x, const Column<std::int32_t>& y,
                                   const Column<std::int32_t>& z, std::size_t row) {
  if (!x.present() || !y.present() || !z.present() || x[row] <= 0 || y[row] <= 0 || z[row] <= 0) return std::nullopt;
  const std::int64_t area = std::int64_t{x[row]} * y[row];
  std::int64_t out = 0;
  return __builtin_mul_overflow(area, z[row], &out) ? std::nullopt : std::optional(out);
}

std::int32_t shared_of(const KernelTable& kernels, std::size_t k) {
  const std::int32_t together = cell(kernels.shared_a_block, k, kNone);
  if (together >= 0) return together;
  const std::int32_t fixed = cell(kernels.static_shared, k, kNone), dynamic = cell(kernels.dynamic_shared, k, kNone);
  std::int32_t sum = kNone;
  return fixed < 0 || dynamic < 0 || __builtin_add_overflow(fixed, dynamic, &sum) ? kNone : sum;
}

SmLimits limits_of(const DeviceTable& d, std::size_t row) {
  return {cell(d.max_threads_per_sm, row, kNone), cell(d.max_blocks_per_sm, row, kNone),
          cell(d.max_registers_per_sm, row, kNone), cell(d.max_shared_per_sm, row, kNone),
          cell(d.compute_major, row, kNone)};
}

constexpr double kNotSaid = std::numeric_limits<double>::quiet_NaN();
constexpr double kRounding = 0.0051;  // profilers write whole percents

/// A profiler's number, unless it represents "unknown".
bool is_stated(double value) { return std::isfinite(value) && value >= 0; }

void fill_blocks(const Report& report, std::size_t k, std::optional<std::size_t> device, KernelFill& fill) {
  const KernelTable& kernels = *report.kernels;
  if (const double blocks = cell(kernels.blocks_per_sm, k, kNotSaid); is_stated(blocks)) {
    fill.blocks_per_sm = blocks;
    fill.blocks_origin = Origin::kProfiler;
    return;
  }
  const auto grid = volume(kernels.grid_x, kernels.grid_y, kernels.grid_z, k);
  const std::int32_t count = device ? cell(report.devices->sm_count, *device, kNone) : kNone;
  if (!grid || count <= 0) return;
  fill.blocks_per_sm = static_cast<double>(*grid) / count;
  fill.blocks_origin = Origin::kComputed;
}

KernelFill fill_of(const Report& report, std::size_t k) {
  const KernelTable& kernels = *report.kernels;
  const auto device = device_row(*report.devices, kernels.device[k]);
  KernelFill fill;
  fill_blocks(report, k, device, fill);
  if (const double occupancy = cell(kernels.occupancy, k, kNotSaid); is_stated(occupancy)) {
    fill.occupancy = fill.corrected = occupancy;
    fill.occupancy_origin = Origin::kProfiler;
  }
  const auto threads = volume(kernels.block_x, kernels.block_y, kernels.block_z, k);
  const SmLimits limits = device ? limits_of(*report.devices, *device) : SmLimits{};
  if (!threads || fill.blocks_origin == Origin::kUnknown || *threads > limits.threads) return fill;

  const double a_block = static_cast<double>(*threads) / limits.threads;
  fill.impossible = fill.occupancy < std::min(1.0, fill.blocks_per_sm) * a_block - kRounding;
  if (fill.occupancy_origin == Origin::kProfiler && !fill.impossible) return fill;
  const auto resident = resident_blocks(
      limits, {static_cast<std::int32_t>(*threads), cell(kernels.registers, k, kNone), shared_of(kernels, k)});
  fill.corrected = resident ? std::min(static_cast<double>(*resident), fill.blocks_per_sm) * a_block : kNotSaid;
  if (resident && fill.occupancy_origin == Origin::kUnknown) {
    fill.occupancy = fill.corrected;
    fill.occupancy_origin = Origin::kComputed;
  }
  return fill;
}

}  // namespace

std::optional<std::int64_t> resident_blocks(const SmLimits& limits, const BlockNeeds& needs) {
  if (limits.threads <= 0 || limits.registers <= 0 || limits.shared < 0) return std::nullopt;
  if (limits.compute_major < 0 || needs.threads <= 0 || needs.registers <= 0 || needs.shared < 0) return std::nullopt;
  const std::int64_t warps = rounded_up(needs.threads, kWarp) / kWarp;
  const std::int64_t fit =
      std::min({limits.threads / kWarp / warps, by_registers(limits, needs, warps), by_shared(limits, needs)});
  if (limits.blocks > 0) return std::min(fit, std::int64_t{limits.blocks});
  return fit <= kMinBlockLimit ? std::optional(fit) : std::nullopt;
}

std::optional<std::size_t> device_row(const DeviceTable& devices, std::int32_t id) {
  for (std::size_t d = 0; d < devices.rows; ++d) {
    if (devices.id[d] == id) return d;
  }
  return std::nullopt;
}

std::vector<KernelFill> kernel_fill(const Report& report) {
  std::vector<KernelFill> out;
  if (report.kernels == nullptr) return out;
  out.reserve(static_cast<std::size_t>(report.kernels->rows));
  for (std::size_t k = 0; k < report.kernels->rows; ++k) out.push_back(fill_of(report, k));
  return out;
}

}  // namespace assay::step
