#include "kernel_table.hpp"

#include <algorithm>
#include <tuple>

#include "assay/algo/stats.hpp"

namespace assay::breakdown {
namespace {

struct Group {
  std::int32_t device = 0;
  std::size_t instances = 0;
  std::vector<double> durations;
  std::int64_t time = 0;
  std::int64_t in_iterations = 0;
};

}  // namespace

std::vector<KernelRow> kernel_table(const Report& report, const Measured& measured, Classifier& classes) {
  std::vector<Group> groups(static_cast<std::size_t>(report.strings.size));
  for (const MeasuredKernel& k : measured.kernels) ++groups[k.name].instances;
  for (const MeasuredKernel& k : measured.kernels) {
    Group& group = groups[k.name];
    if (group.durations.empty()) {
      group.device = k.device;
      group.durations.reserve(group.instances);  // of millions a growing vector holds twice as much
    }
    group.durations.push_back(static_cast<double>(k.duration));
    group.time += k.duration;
    group.in_iterations += k.iteration != kNone ? 1 : 0;
  }
  std::vector<KernelRow> rows;
  for (std::size_t name = 0; name < groups.size(); ++name) {
    Group& group = groups[name];
    if (group.durations.empty()) continue;
    KernelRow row;
    row.id = static_cast<StringId>(name);
    row.name = report.string(row.id);
    const Kind& kind = classes.of(row.id, group.device);
    row.kind = classes.class_name(kind.kernel_class);
    row.tensor_cores = kTensorCoreUses[kind.tensor_cores];
    row.instances = static_cast<std::int64_t>(group.instances);
    row.time = group.time;
    row.share = measured.time > 0 ? static_cast<double>(group.time) / static_cast<double>(measured.time) : 0;
    row.mean = static_cast<double>(group.time) / static_cast<double>(row.instances);
    const auto [least, most] = std::minmax_element(group.durations.begin(), group.durations.end());
    row.least = static_cast<std::int64_t>(*least);
    row.most = static_cast<std::int64_t>(*most);
    row.deviation = sample_sd(group.durations);
    row.median = median_in_place(group.durations);
    if (measured.iterations > 0) {
      row.per_iteration = static_cast<double>(group.in_iterations) / static_cast<double>(measured.iterations);
    }
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const KernelRow& a, const KernelRow& b) {
    return std::tuple(-a.time, a.instances, a.name) < std::tuple(-b.time, b.instances, b.name);
  });
  return rows;
}

std::vector<double> launches_per_iteration(const Measured& measured, StringId name) {
  std::vector<double> counts(measured.iterations, 0);
  for (const MeasuredKernel& k : measured.kernels) {
    if (k.name == name && k.iteration != kNone) counts[static_cast<std::size_t>(k.iteration)] += 1;
  }
  return counts;
}

}  // namespace assay::breakdown
