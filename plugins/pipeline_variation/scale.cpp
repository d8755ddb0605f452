#include "scale.hpp"

#include "assay/algo/summary.hpp"

namespace assay::pipeline {

std::vector<BatchScale> batch_scales(const StudyView& view, const std::string& batch, const std::string& latency,
                                     const std::string& device) {
  std::vector<BatchScale> out;
  std::vector<Unmatched> ignored;  // a run without the label is simply in no sweep
  for (const LabelSweep& sweep : sweeps_along(view, batch, ignored)) {
    BatchScale scale{sweep.labels, {}};
    for (const SweepLevel& level : sweep.levels) {
      BatchPoint point;
      point.batch = level.text;
      std::vector<std::size_t> measured;
      for (const std::size_t r : level.reports) {
        const auto fact = view.fact(static_cast<Row>(r), latency);
        if (!fact || !(view.study().facts->value[*fact] > 0)) continue;
        measured.push_back(r);
        point.facts.push_back(static_cast<std::int64_t>(*fact));
      }
      const auto of = [&](const std::string& metric) {
        return values_of_runs(view, measured, [&](std::size_t r) { return view.value(static_cast<Row>(r), metric); });
      };
      std::vector<double> latencies = of(latency), devices = of(device);
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
