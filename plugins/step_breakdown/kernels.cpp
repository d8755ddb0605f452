#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace assay::step {
namespace {

/// A mean weighted by duration, over the kernels with known values.
struct WeightedMean {
  double sum = 0, weight = 0, plain_sum = 0;
  std::int64_t count = 0;

  void add(double value, std::int64_t duration) {
    if (!std::isfinite(value)) return;
    sum += value * static_cast<double>(duration);
    weight += static_cast<double>(duration);
    plain_sum += value;
    ++count;
  }
  [[nodiscard]] double mean() const {
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    return weight > 0 ? sum / weight : plain_sum / static_cast<double>(count);
  }
};

struct Group {
  KernelRow row;
  WeightedMean blocks, occupancy, corrected;
};

std::size_t use_of(std::string_view answer) {
  const auto at = std::find(kTensorCoreUses.begin(), kTensorCoreUses.end(), answer);
  return static_cast<std::size_t>(at - kTensorCoreUses.begin());
}

}  // namespace

ComputeCapability capability_of(const DeviceTable& devices, std::int32_t id) {
  const auto row = device_row(devices, id);
  if (!row || !devices.compute_major.present() || !devices.compute_minor.present()) return {};
  if (devices.compute_major[*row] == kNone) return {};
  return {devices.compute_major[*row], std::max(devices.compute_minor[*row], 0)};
}

Kernels kernel_rows(const Report& report, std::span<const KernelFill> fill, std::span<const std::uint8_t> eligible,
                    const NameRules& classes, const NameRules& tensor_cores) {
  const KernelTable& t = *report.kernels;
  Kernels out;
  std::map<StringId, Group> groups;
  for (std::size_t k = 0; k < t.rows; ++k) {
    if (t.membership[k] != Membership::kInside) continue;
    const std::int64_t duration = t.end[k] - t.start[k];
    Group& group = groups[t.name[k]];
    KernelRow& row = group.row;
    if (row.calls++ == 0) {
      row.name = report.string(t.name[k]);
      const ComputeCapability capability = capability_of(*report.devices, t.device[k]);
      row.kind = classes.class_of(row.name, capability);
      row.uses = use_of(tensor_cores.class_of(row.name, capability));
    }
    row.total += duration;
    row.longest = std::max(row.longest, duration);
    row.shortest = std::min(row.shortest, duration);
    group.blocks.add(fill[k].blocks_per_sm, duration);
    group.occupancy.add(fill[k].occupancy, duration);
    group.corrected.add(fill[k].corrected, duration);
    ++out.count;
    out.tensor_cores.all += duration;
    out.tensor_cores.by_use[row.uses] += duration;
    if (!eligible.empty() && eligible[k] != 0) out.tensor_cores.eligible_by_use[row.uses] += duration;
  }
  for (auto& [name, group] : groups) {
    group.row.blocks_per_sm = group.blocks.mean();
    group.row.occupancy = group.occupancy.mean();
    group.row.corrected = group.corrected.mean();
    out.rows.push_back(group.row);
  }
  std::sort(out.rows.begin(), out.rows.end(), [](const KernelRow& a, const KernelRow& b) {
    return std::tuple(-a.total, a.name) < std::tuple(-b.total, b.name);
  });
  return out;
}

}  // namespace assay::step
