#include "scale.hpp"

#include "assay/algo/summary.hpp"
#include "assay/detail/lengths.hpp"

namespace assay::pipeline {

std::vector<BatchScale> batch_scales(const StudyView& view, const std::string& batch, const std::string& latency,
                                     const std::string& device) {
  std::vector<BatchScale> out;
  std::vector<UnmatchedReport> ignored;  // runs without the label are in no sweep
  for (const LabelSweep& sweep : sweeps_along(view, batch, ignored)) {
    const Lengths of_latency = lengths_of(view, {}, sweep.runs, latency, {}),
                  of_device = lengths_of(view, {}, sweep.runs, device, {});
    if (!of_latency.comparable() || !of_device.comparable()) continue;
    BatchScale scale{sweep.labels, {}};
    for (const SweepLevel& level : sweep.levels) {
      BatchPoint point;
      point.batch = level.text;
      const Runs measured = level.reports.where([&](std::size_t r) {
        const auto fact = view.fact(static_cast<Row>(r), latency);
        return fact && view.study().facts->value[*fact] > 0;
      });
      for (const std::size_t r : measured)
        point.facts.push_back(static_cast<std::int64_t>(*view.fact(static_cast<Row>(r), latency)));
      const auto of = [&](const std::string& metric, const Lengths& lengths) {
        return values_of_runs(view, measured, [&](std::size_t r) { return value_for(view, r, metric, {}, lengths); });
      };
      std::vector<double> latencies = of(latency, of_latency), devices = of(device, of_device);
      if (latencies.empty()) continue;
      point.runs = latencies.size();
      point.latency_ns = median_in_place(latencies);
      point.device_ns = median_in_place(devices);
      point.samples_per_s = level.order / point.latency_ns * 1e9;
      scale.points.push_back(std::move(point));
    }
    if (scale.points.size() > 1) out.push_back(std::move(scale));
  }
  return out;
}

}  // namespace assay::pipeline
