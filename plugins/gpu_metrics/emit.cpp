#include "emit.hpp"

#include <algorithm>
#include <cmath>

namespace assay::gpu_metrics {
namespace {

constexpr std::size_t kMaxStepSamples = 10'000;

void emit_part(const Part& part, const Dims& dims, ReportSink& sink) {
  sink.fact("gpu_metrics.samples", static_cast<double>(part.samples), dims);
  for (std::size_t m = 0; m < kMeasures.size(); ++m) {
    if (std::isnan(part.values[m])) continue;
    const std::vector<double>& steps = part.step_values[m];
    const bool with_steps = !steps.empty() && steps.size() <= kMaxStepSamples;
    sink.fact(kMeasures[m].metric, part.values[m], with_steps ? std::span(steps) : std::span<const double>(), dims);
  }
}

}  // namespace

void emit_facts(const std::vector<DeviceParts>& devices, ReportSink& sink) {
  double most = std::numeric_limits<double>::quiet_NaN();
  for (const DeviceParts& one : devices) {
    for (const Part& part : one.parts) {
      Dims dims;
      if (!part.key.empty()) dims.add(part.key, part.value);
      if (devices.size() > 1) dims.add("device", one.device);
      emit_part(part, dims, sink);
      if (part.key.empty()) most = std::fmax(most, part.values[kSmsActive]);
    }
  }
  if (!std::isnan(most)) sink.fact("gpu.sm_active_ratio", most);
}

Table parts_table(const std::vector<DeviceParts>& devices) {
  struct Row {
    std::int32_t device;
    const Part* part;
  };
  std::vector<Row> rows;
  for (const DeviceParts& one : devices) {
    for (const Part& part : one.parts) {
      if (part.samples > 0) rows.push_back({one.device, &part});
    }
  }
  Table table("parts", "Samples of the GPU's counters by range, step and kernel class");
  if (devices.size() > 1) table.column("Device", "1", rows, &Row::device);
  table.column("Part", "", rows, [](const Row& row) { return row.part->title; })
      .column("Kind", "", rows,
              [](const Row& row) { return row.part->key.empty() ? std::string("all") : row.part->key; })
      .column("Samples", "1", rows, [](const Row& row) { return row.part->samples; });
  for (std::size_t m = 0; m < kMeasures.size(); ++m) {
    const auto value = [m](const Row& row) { return row.part->values[m]; };
    if (std::ranges::all_of(rows, [&](const Row& row) { return std::isnan(value(row)); })) continue;
    if (std::string_view(kMeasures[m].unit) == "ratio")
      table.column(kMeasures[m].title, "ratio", rows, value);
    else
      table.column(kMeasures[m].title, "", rows, [&](const Row& row) { return megahertz(value(row)); });
  }
  return table;
}

}  // namespace assay::gpu_metrics
