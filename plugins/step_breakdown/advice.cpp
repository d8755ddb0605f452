#include "advice.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "assay/algo/participation.hpp"

namespace assay::step {
namespace {

/// File name up to its first dot, or the path if two reports would share it.
void name_runs(const StudyView& view, std::vector<Run>& runs) {
  std::map<std::string, std::size_t> seen;
  for (Run& run : runs) {
    std::string_view path = view.path(run.report);
    path.remove_prefix(std::min(path.size(), path.find_last_of('/') + 1));
    run.name = path.substr(0, path.find('.'));
    ++seen[run.name];
  }
  for (Run& run : runs) {
    if (seen[run.name] > 1) run.name = view.path(run.report);
  }
}

std::optional<double> number(std::optional<std::string_view> text) {
  double value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

Run run_of(const StudyView& view, std::size_t report, std::size_t step_fact) {
  const auto row = static_cast<Row>(report);
  Run run;
  const auto value = [&](std::string_view metric, std::string_view dims = {}) -> std::optional<double> {
    const auto fact = view.fact(row, metric, dims);
    if (!fact) return std::nullopt;
    run.facts.push_back(static_cast<std::int64_t>(*fact));
    return view.study().facts->value[*fact];
  };
  run.report = report;
  run.steps = value("step.count").value_or(0);
  run.dropped = value("step.dropped_count").value_or(0);
  run.facts.push_back(static_cast<std::int64_t>(step_fact));
  run.step_ns = run.least_ns = run.greatest_ns = view.study().facts->value[step_fact];
  const std::span<const double> samples = view.samples(step_fact);
  if (!samples.empty()) {
    const auto [least, greatest] = std::minmax_element(samples.begin(), samples.end());
    run.least_ns = *least;
    run.greatest_ns = *greatest;
  }
  for (std::size_t c = 0; c < kCategories; ++c) {
    run.shares[c] = value("step.category_time_ratio", "category=" + std::string(kCategoryNames[c])).value_or(0);
  }
  run.utilization = value("gpu.utilization_ratio");
  run.sm_efficiency = value("gpu.sm_efficiency_ratio");
  run.occupancy = value("gpu.achieved_occupancy_ratio");
  run.corrected_occupancy = value("gpu.corrected_occupancy_ratio");
  run.tensor_yes = value("step.tensor_core_time_ratio", "uses=yes");
  run.tensor_unknown = value("step.tensor_core_time_ratio", "uses=unknown");
  run.eligible_no = value("step.eligible_kernel_time_ratio", "uses=no");
  run.capability = number(view.attribute(report, "gpu.compute_capability"));
  run.one_of_many = number(view.attribute(report, kWorldSizeAttribute)).value_or(1) > 1;
  view.each_fact(row, "memory.peak_ratio", [&](std::size_t fact) {
    run.memory = std::max(run.memory.value_or(0), view.study().facts->value[fact]);
  });
  return run;
}

Judgement above(double measured, double threshold) { return {true, measured > threshold, measured}; }

}  // namespace

std::vector<Run> runs_of(const StudyView& view) {
  std::vector<Run> runs;
  for (const std::size_t report : view.participants()) {
    const auto step = view.fact(static_cast<Row>(report), "step.time_ns");
    if (step) runs.push_back(run_of(view, report, *step));
  }
  name_runs(view, runs);
  return runs;
}

double threshold_of(Rule rule, const Thresholds& t) {
  const std::array<double, kRules> all = {t.data_loader, t.communication, t.utilization, t.tensor_cores, t.memory};
  return all[static_cast<std::size_t>(rule)];
}

Judgement judge(Rule rule, const Run& run, const Thresholds& thresholds) {
  switch (rule) {
    case Rule::kDataLoader:
      return above(run.shares[kDataLoader], thresholds.data_loader);
    case Rule::kCommunication:
      return above(run.shares[kCommunication], thresholds.communication);
    case Rule::kUtilization:
      if (!run.utilization) return {};
      return {true, *run.utilization < thresholds.utilization, *run.utilization};
    case Rule::kTensorCores:
      if (!run.tensor_yes || !run.eligible_no || !run.capability) return {};
      return {true,
              *run.capability >= thresholds.capability && *run.tensor_yes <= thresholds.tensor_cores &&
                  *run.eligible_no > 0,
              *run.eligible_no};
    case Rule::kMemory:
      return run.memory ? above(*run.memory, thresholds.memory) : Judgement{};
  }
  return {};
}

}  // namespace assay::step
