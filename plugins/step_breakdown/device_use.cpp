#include "device_use.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::step {
namespace {

/// A kernel's blocks per SM begin or end to count.
struct Change {
  std::int64_t time = 0;
  double blocks = 0;  ///< negative: end
};

/// Weighted by duration, over what is known.
struct Mean {
  double sum = 0, weight = 0;

  void add(double value, std::int64_t time) {
    if (!std::isfinite(value)) return;
    sum += value * static_cast<double>(time);
    weight += static_cast<double>(time);
  }
  [[nodiscard]] std::optional<double> value() const { return weight > 0 ? std::optional(sum / weight) : std::nullopt; }
};

struct Gathered {
  Intervals kernels;
  std::vector<Change> blocks;
  Mean occupancy, corrected;
  DeviceUse use;
};

/// Integral of min(1, blocks per SM of what runs), ns.
double filled_time(std::vector<Change>& changes) {
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
  double area = 0, running = 0;
  std::int64_t active = 0, before = 0;
  for (const Change& c : changes) {
    if (active > 0) area += std::min(1.0, running) * static_cast<double>(c.time - before);
    before = c.time;
    running += c.blocks;
    active += c.blocks > 0 ? 1 : -1;
    if (active == 0) running = 0;  // so that rounding does not add up over a long trace
  }
  return area;
}

Interval within(std::int64_t start, std::int64_t end, Interval span) {
  return {std::max(start, span.start), std::min(end, span.end)};
}

void add_kernel(Gathered& device, Interval i, const KernelFill& fill) {
  const std::int64_t time = i.end - i.start;
  if (fill.blocks_per_sm > 0) {
    device.blocks.push_back({i.start, fill.blocks_per_sm});
    device.blocks.push_back({i.end, -fill.blocks_per_sm});
  }
  device.occupancy.add(fill.occupancy, time);
  device.corrected.add(fill.corrected, time);
  if (!std::isfinite(fill.occupancy)) device.use.unknown_time += time;
  if (fill.impossible) device.use.impossible_time += time;
}

}  // namespace

std::vector<DeviceUse> device_use(const Report& report, std::span<const KernelFill> fill, Interval span) {
  std::map<std::int32_t, Gathered> devices;
  const auto add = [&](const auto* table, auto&& each) {
    for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
      const Interval i = within(table->start[r], table->end[r], span);
      if (i.end <= i.start) continue;
      Gathered& device = devices[table->device[r]];
      device.kernels.push_back(i);
      device.use.kernel_time += i.end - i.start;
      ++device.use.kernels;
      each(device, i, r);
    }
  };
  add(report.kernels, [&](Gathered& device, Interval i, std::size_t k) { add_kernel(device, i, fill[k]); });
  add(report.graphs, [](Gathered& device, Interval i, std::size_t) { device.use.unknown_time += i.end - i.start; });
  std::vector<DeviceUse> out;
  const auto whole = static_cast<double>(span.end - span.start);
  for (auto& [id, device] : devices) {
    DeviceUse use = device.use;
    use.device = id;
    use.utilization = static_cast<double>(measure(merge(device.kernels))) / whole;
    if (!device.blocks.empty()) use.sm_efficiency = filled_time(device.blocks) / whole;
    use.occupancy = device.occupancy.value();
    use.corrected = device.corrected.value();
    out.push_back(use);
  }
  return out;
}

}  // namespace assay::step
