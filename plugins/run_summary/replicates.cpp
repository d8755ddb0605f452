#include "replicates.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::summary {
namespace {

struct Run {
  std::int64_t fact;
  double value;
};

/// The runs of a group that may be compared with each other, by the key that makes them comparable.
std::map<double, std::vector<Run>> comparable(const StudyView& study, const ReplicateGroup& group,
                                              const std::string& metric, std::int64_t& not_positive) {
  constexpr double kAnyCount = -1;
  const bool per_iteration = metric.starts_with("iteration.");
  std::map<double, std::vector<Run>> sets;
  for (const RunReports& run : group.runs) {
    const auto row = static_cast<Row>(run.front());
    const std::optional<std::size_t> fact = study.fact(row, metric);
    if (!fact) continue;
    const double value = *value_of(study, run, metric);
    if (value <= 0) {
      ++not_positive;
      continue;
    }
    const double key = per_iteration ? kAnyCount : study.value(row, "iteration.count").value_or(kAnyCount);
    sets[key].push_back({static_cast<std::int64_t>(*fact), value});
  }
  std::erase_if(sets, [](const auto& set) { return set.second.size() < 2; });
  return sets;
}

double squares_around_mean(const std::vector<Run>& runs) {
  double mean = 0, squares = 0;
  for (const Run& r : runs) mean += std::log(r.value) / static_cast<double>(runs.size());
  for (const Run& r : runs) squares += (std::log(r.value) - mean) * (std::log(r.value) - mean);
  return squares;
}

Spread spread_within(const std::vector<Run>& runs) {
  const auto [low, high] =
      std::minmax_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.value < b.value; });
  return {high->value / low->value, low->fact, high->fact};
}

}  // namespace

std::optional<double> MetricSpread::pooled_sd_log() const {
  if (degrees_of_freedom() <= 0) return std::nullopt;
  return std::sqrt(sum_of_squares / static_cast<double>(degrees_of_freedom()));
}

std::optional<std::size_t> MetricSpread::widest() const {
  std::optional<std::size_t> out;
  for (std::size_t g = 0; g < by_group.size(); ++g) {
    if (by_group[g] && (!out || by_group[g]->ratio > by_group[*out]->ratio)) out = g;
  }
  return out;
}

std::vector<ReplicateGroup> replicate_groups(const StudyView& study) {
  std::vector<ReplicateGroup> groups;
  for (std::vector<RunReports>& runs : equal_runs(study))
    groups.push_back({std::to_string(groups.size() + 1), std::move(runs)});
  return groups;
}

MetricSpread spread_of(const StudyView& study, const std::vector<ReplicateGroup>& groups, const std::string& metric) {
  MetricSpread out;
  out.metric = metric;
  for (const ReplicateGroup& group : groups) {
    std::optional<Spread>& widest = out.by_group.emplace_back();
    for (const auto& [key, runs] : comparable(study, group, metric, out.not_positive)) {
      out.runs += static_cast<std::int64_t>(runs.size());
      ++out.sets;
      out.sum_of_squares += squares_around_mean(runs);
      const Spread spread = spread_within(runs);
      if (!widest || spread.ratio > widest->ratio) widest = spread;
    }
  }
  return out;
}

}  // namespace assay::summary
