#include "device_use.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>

#include "occupancy.hpp"

namespace assay::step {
namespace {

/// Weighted by duration, over the known values.
struct Mean {
  double sum = 0, weight = 0;

  void add(double value, std::int64_t time) {
    if (!std::isfinite(value)) return;
    sum += value * static_cast<double>(time);
    weight += static_cast<double>(time);
  }
  [[nodiscard]] std::optional<double> value() const { return weight > 0 ? std::optional(sum / weight) : std::nullopt; }
};

/// Integral of min(1, blocks per SM of what runs), ns, from kernels by start; keeps the running ones.
class FilledTime {
 public:
  void add(Interval i, double blocks) {
    until(i.start);
    change(i.start, blocks, 1);
    ends_.emplace(i.end, blocks);
    any_ = true;
  }
  /// Over everything added; empty if nothing was.
  std::optional<double> finish() {
    until(std::numeric_limits<std::int64_t>::max());
    return any_ ? std::optional(area_) : std::nullopt;
  }

 private:
  using End = std::pair<std::int64_t, double>;

  void until(std::int64_t time) {
    for (; !ends_.empty() && ends_.top().first <= time; ends_.pop()) change(ends_.top().first, -ends_.top().second, -1);
  }
  void change(std::int64_t time, double blocks, std::int64_t kernels) {
    if (active_ > 0) area_ += std::min(1.0, running_) * static_cast<double>(time - before_);
    before_ = time;
    running_ += blocks;
    active_ += kernels;
    if (active_ == 0) running_ = 0;  // prevents rounding errors from accumulating over a long trace
  }

  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  double area_ = 0, running_ = 0;
  std::int64_t active_ = 0, before_ = 0;
  bool any_ = false;
};

struct DeviceMeasures {
  UnionMeasure busy;
  FilledTime filled;
  Mean occupancy, corrected;
  DeviceUse use;
};

Interval within(std::int64_t start, std::int64_t end, Interval span) {
  return {std::max(start, span.start), std::min(end, span.end)};
}

void add_kernel(DeviceMeasures& device, Interval i, const KernelFill& fill) {
  const std::int64_t time = i.end - i.start;
  if (fill.blocks_per_sm > 0) device.filled.add(i, fill.blocks_per_sm);
  device.occupancy.add(fill.occupancy, time);
  device.corrected.add(fill.corrected, time);
  if (!std::isfinite(fill.occupancy)) device.use.unknown_time += time;
  if (fill.impossible) device.use.impossible_time += time;
}

}  // namespace

std::vector<MemoryPeak> memory_peaks(const Report& report) {
  const AllocationTable& t = *report.allocations;
  std::map<std::int32_t, MemoryPeak> devices;
  for (std::size_t a = 0; a < t.rows; ++a) {
    const bool in_window =
        report.window->named == 0 || (t.time[a] >= report.window->start && t.time[a] <= report.window->end);
    if (t.device[a] == kNone || !in_window) continue;
    MemoryPeak& peak = devices[t.device[a]];
    peak.allocated = std::max(peak.allocated, t.allocated[a]);
    peak.reserved = std::max(peak.reserved, t.reserved[a]);
  }
  std::vector<MemoryPeak> out;
  for (auto& [id, peak] : devices) {
    peak.device = id;
    // A device may have one number among all devices and another among compute devices (ROCm).
    const bool only = devices.size() == 1 && report.devices->rows == 1;
    const auto row = only ? std::optional<std::size_t>(0) : device_row(*report.devices, id);
    if (row && report.devices->total_memory.present()) peak.total = report.devices->total_memory[*row];
    if (peak.held() >= 0) out.push_back(peak);
  }
  return out;
}

std::vector<DeviceUse> device_use(const Report& report, std::span<const KernelFill> fill, Interval span) {
  std::map<std::int32_t, DeviceMeasures> devices;
  const auto add = [&](const auto& table, std::size_t r, auto&& each) {
    const Interval i = within(table.start[r], table.end[r], span);
    if (i.end <= i.start) return;
    DeviceMeasures& device = devices[table.device[r]];
    device.busy.add(i.start, i.end);
    device.use.kernel_time += i.end - i.start;
    ++device.use.kernels;
    each(device, i);
  };
  // Merges kernels and graph launches by start, each table being sorted.
  const auto rows = [](const auto* table) { return table == nullptr ? 0 : static_cast<std::size_t>(table->rows); };
  std::size_t k = 0, g = 0;
  while (k < rows(report.kernels) || g < rows(report.graphs)) {
    const bool kernel =
        g == rows(report.graphs) || (k < rows(report.kernels) && report.kernels->start[k] <= report.graphs->start[g]);
    if (kernel) {
      add(*report.kernels, k, [&](DeviceMeasures& device, Interval i) { add_kernel(device, i, fill[k]); });
      ++k;
    } else {
      add(*report.graphs, g, [](DeviceMeasures& device, Interval i) { device.use.unknown_time += i.end - i.start; });
      ++g;
    }
  }
  std::vector<DeviceUse> out;
  const auto whole = static_cast<double>(span.end - span.start);
  for (auto& [id, device] : devices) {
    DeviceUse use = device.use;
    use.device = id;
    use.utilization = static_cast<double>(device.busy.total()) / whole;
    if (const auto filled = device.filled.finish()) use.sm_efficiency = *filled / whole;
    use.occupancy = device.occupancy.value();
    use.corrected = device.corrected.value();
    out.push_back(use);
  }
  return out;
}

}  // namespace assay::step
