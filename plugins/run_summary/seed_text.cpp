#include <string>
#include <vector>

#include "facts.hpp"

namespace assay::summary {
namespace {

class Rows {
 public:
  void add(std::string key, double value) {
    keys_.push_back(std::move(key));
    values_.push_back(value);
  }
  void add(std::string key, std::int64_t value) { add(std::move(key), static_cast<double>(value)); }
  [[nodiscard]] Table table() && {
    Table table("seed_text", "Numbers of the published per-report text");
    table.add("key", "", std::move(keys_));
    table.add("value", "", std::move(values_));
    return table;
  }

 private:
  std::vector<std::string> keys_;
  std::vector<double> values_;
};

void add_copies(const Seed& seed, Rows& rows) {
  for (const auto& [direction, c] : seed.copies) {
    if (!c.sized) continue;
    const std::string prefix = "copy." + direction + ".";
    rows.add(prefix + "count", c.extent.rows);
    rows.add(prefix + "bytes", c.bytes);
    rows.add(prefix + "time_ns", c.extent.time);
    rows.add(prefix + "bandwidth_mib_per_s", c.mib_per_s());
    rows.add(prefix + "mean_ns", c.extent.mean());
    rows.add(prefix + "min_ns", c.extent.shortest);
    rows.add(prefix + "max_ns", c.extent.longest);
  }
}

void add_compute(const Extent& kernels, Rows& rows) {
  rows.add("compute.kernels", kernels.rows);
  if (kernels.rows == 0) return;
  rows.add("compute.time_ns", kernels.time);
  rows.add("compute.mean_ns", kernels.mean());
  rows.add("compute.min_ns", kernels.shortest);
  rows.add("compute.max_ns", kernels.longest);
  if (kernels.timeline() == 0) return;
  rows.add("compute.timeline_ns", kernels.timeline());
  rows.add("compute.utilization", static_cast<double>(kernels.time) / static_cast<double>(kernels.timeline()));
}

void add_pipeline(const SeedPipeline& p, Rows& rows) {
  if (p.kernels.rows == 0) return;
  rows.add("pipeline.kernels", p.kernels.rows);
  rows.add("pipeline.preparation_us", p.preparation_us());
  rows.add("pipeline.execution_ns", p.kernels.mean());
  rows.add("pipeline.time_ns", p.kernels.time);
  rows.add("pipeline.timeline_ns", p.kernels.timeline());
  if (p.kernels.timeline() > 0) rows.add("pipeline.efficiency", p.efficiency());
  rows.add("pipeline.total_gaps", p.kernels.rows - 1);
  rows.add("pipeline.significant_gaps", p.significant);
  rows.add("pipeline.large_gaps", p.large);
  rows.add("pipeline.very_large_gaps", p.very_large);
  rows.add("pipeline.significant_gap_time_ns", p.significant_time);
  if (p.positive > 0) {
    rows.add("pipeline.average_gap_ns", static_cast<double>(p.positive_time) / static_cast<double>(p.positive));
  }
  rows.add("pipeline.max_gap_ns", p.longest);
}

void add_temporal(const Seed& seed, Rows& rows) {
  const Extent& all = seed.operations;
  if (all.timeline() == 0) return;
  rows.add("temporal.timeline_ns", all.timeline());
  rows.add("temporal.sequential_ns", all.time);
  rows.add("temporal.saved_ns", all.time - all.timeline());
  rows.add("temporal.compression_ratio", static_cast<double>(all.time) / static_cast<double>(all.timeline()));
  rows.add("temporal.operations", all.rows);
  rows.add("temporal.streams", seed.streams);
  rows.add("temporal.average_stream_utilization", seed.average_stream_utilization);
}

}  // namespace

Table seed_text(const Seed& seed, Interval host_window, bool named) {
  Rows rows;
  rows.add("scope_named", named ? 1.0 : 0.0);
  rows.add("window_start_ns", host_window.start);
  rows.add("window_end_ns", host_window.end);
  add_copies(seed, rows);
  add_compute(seed.kernels, rows);
  add_pipeline(seed.pipeline, rows);
  add_temporal(seed, rows);
  return std::move(rows).table();
}

}  // namespace assay::summary
