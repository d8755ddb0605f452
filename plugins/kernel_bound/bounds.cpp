#include "bounds.hpp"

#include <algorithm>
#include <tuple>

#include "assay/words.hpp"

namespace assay::bound {
namespace {

std::string size_text(std::int32_t x, std::int32_t y, std::int32_t z) {
  if (x == kNone) return {};
  return filled("{} x {} x {}", {std::to_string(x), std::to_string(y), std::to_string(z)});
}

BoundRow row_of(const Report& report, Row group, const SpeedOfLight& speed, const NameRules& rules,
                const NameRules& tensor_cores) {
  const ProfiledTable& t = *report.profiled;
  const auto g = static_cast<std::size_t>(group);
  BoundRow row;
  row.kernel = report.string(t.short_name[g]);
  row.kernel_class = rules.class_of(report.string(t.name[g]));
  row.tensor_cores = tensor_cores.class_of(report.string(t.name[g]));
  row.grid = size_text(t.grid_x[g], t.grid_y[g], t.grid_z[g]);
  row.block = size_text(t.block_x[g], t.block_y[g], t.block_z[g]);
  row.speed = speed;
  return row;
}

/// Weights the rows by the times of the report's kernels, and counts kernels without a row.
void weigh_by_kernels(const Report& report, const NameRules& rules, std::map<Row, BoundRow>& rows, Bounds& out) {
  const KernelTable& kernels = *report.kernels;
  std::map<StringId, std::string> classes;
  for (std::size_t k = 0; k < kernels.rows; ++k) {
    if (kernels.membership[k] != Membership::kInside) continue;
    const auto time = static_cast<double>(kernels.end[k] - kernels.start[k]);
    const auto row = rows.find(kernels.profiled[k]);
    if (row != rows.end()) {
      ++row->second.launches;
      row->second.time += time;
      continue;
    }
    out.without_counters += time;
    if (!kernels.name.present()) continue;
    const auto [known, is_new] = classes.try_emplace(kernels.name[k]);
    if (is_new) known->second = rules.class_of(report.string(kernels.name[k]));
    out.classes[known->second].add(Bound::kUnknown, time);
  }
  for (const auto& [group, row] : rows) out.unmatched += row.launches == 0 ? row.speed.launches : 0;
}

void weigh_by_durations(std::map<Row, BoundRow>& rows, Bounds& out) {
  for (auto& [group, row] : rows) {
    row.launches = row.speed.launches;
    row.time = row.speed.duration.value_or(0) * static_cast<double>(row.launches);
    out.untimed += row.speed.duration ? 0 : row.launches;
  }
}

std::optional<double> ratio_of(double above, double below) {
  return below > 0 ? std::optional(above / below) : std::nullopt;
}

}  // namespace

std::optional<double> BoundRow::flops() const {
  return counted.has_flops ? std::optional(counted.flops()) : std::nullopt;
}
std::optional<double> BoundRow::dram_bytes() const {
  return counted.has_bytes ? std::optional(counted.dram_bytes) : std::nullopt;
}
std::optional<double> BoundRow::l2_bytes() const {
  return counted.has_l2 ? std::optional(counted.l2_bytes) : std::nullopt;
}
std::optional<double> BoundRow::intensity() const {
  return counted.has_flops && counted.has_bytes ? ratio_of(counted.flops(), counted.dram_bytes) : std::nullopt;
}
std::optional<double> BoundRow::flops_per_s() const {
  constexpr double kNsPerS = 1e9;
  return counted.has_flops && speed.duration ? ratio_of(kNsPerS * counted.flops(), *speed.duration) : std::nullopt;
}
std::optional<double> BoundRow::roof_share() const { return ratio_of(roof.least, roof.measured); }

Bounds measure_bounds(const Report& report, const NameRules& rules, const NameRules& tensor_cores, double threshold,
                      std::string_view device) {
  Bounds out;
  out.peaks = roofline::counted_peaks(report, device);
  const KernelBounds bounds(report, threshold);
  const std::map<Row, roofline::LaunchCounters> counted = roofline::counted_by_group(report);
  const std::map<Row, roofline::RoofTimes> roofs = roofline::roofs_by_group(report, out.peaks);
  std::map<Row, BoundRow> rows;
  for (const auto& [group, speed] : bounds.speeds().groups()) {
    BoundRow row = row_of(report, group, speed, rules, tensor_cores);
    row.bounds = bounds.speeds().bounds(group, threshold);
    row.counted = counted.at(group);
    if (const auto roof = roofs.find(group); roof != roofs.end()) row.roof = roof->second;
    rows.emplace(group, std::move(row));
    out.profiled += speed.launches;
  }
  out.joined = bounds.joined();
  out.joined ? weigh_by_kernels(report, rules, rows, out) : weigh_by_durations(rows, out);
  for (auto& [group, row] : rows) {
    if (row.launches == 0) continue;
    out.classes[row.kernel_class].add(row.bounds, row.time);
    out.rows.push_back(std::move(row));
  }
  for (const BoundRow& row : out.rows) out.all.add(row.bounds, row.time);
  out.all.add(Bound::kUnknown, out.without_counters);
  std::sort(out.rows.begin(), out.rows.end(), [](const BoundRow& a, const BoundRow& b) {
    return std::tuple(-a.time, std::tie(a.kernel, a.grid, a.block)) <
           std::tuple(-b.time, std::tie(b.kernel, b.grid, b.block));
  });
  return out;
}

void WeightedSpeed::add(const BoundRow& row) {
  for (std::size_t m = 0; m < sums_.size(); ++m) {
    const std::optional<double>& number = row.speed.*kSpeedMeans[m].number;
    if (!number) continue;
    sums_[m].sum += *number * row.time;
    sums_[m].weight += row.time;
  }
}

void LaunchSums::add(const BoundRow& row) {
  const auto n = static_cast<double>(row.speed.launches);
  duration.add(row.speed.duration, n);
  flops.add(row.flops(), n);
  dram_bytes.add(row.dram_bytes(), n);
  l2_bytes.add(row.l2_bytes(), n);
  add_roof(row);
}

void LaunchSums::add_roof(const BoundRow& row) {
  least_ += row.roof.least;
  measured_ += row.roof.measured;
}

std::optional<double> WeightedSpeed::mean(std::size_t mean) const {
  const Sum& sum = sums_[mean];
  return sum.weight > 0 ? std::optional(sum.sum / sum.weight) : std::nullopt;
}

}  // namespace assay::bound
