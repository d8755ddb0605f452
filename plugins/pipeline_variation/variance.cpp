#include "variance.hpp"

#include <cmath>
#include <map>
#include <set>
#include <span>

#include "assay/algo/contrast.hpp"
#include "assay/algo/summary.hpp"

namespace assay::pipeline {
namespace {

/// Numbers distinct combinations of label values in order of appearance.
class Combinations {
 public:
  std::size_t number(const StudyView& view, std::size_t report, const std::vector<std::string>& labels) {
    std::string key;
    for (const std::string& label : labels) key += std::string(view.label_text(report, label)) + '\n';
    return numbers_.emplace(key, numbers_.size()).first->second;
  }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }

 private:
  std::map<std::string, std::size_t> numbers_;
};

/// Subtracts the mean of each group from its values.
void centre(std::vector<double>& values, std::span<const std::size_t> group, std::size_t groups) {
  std::vector<double> sums(groups), counts(groups);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[group[i]] += values[i];
    counts[group[i]] += 1;
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= sums[group[i]] / counts[group[i]];
}

double squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return sum;
}

}  // namespace

std::optional<VarianceShares> variance_shares(const StudyView& view, const std::string& metric,
                                              const std::vector<std::string>& model,
                                              const std::vector<std::string>& pipeline,
                                              std::vector<UnmatchedReport>& left_out) {
  std::vector<std::string> varies = model;
  varies.insert(varies.end(), pipeline.begin(), pipeline.end());
  const RunGrouping alike = alike_groups(view, {varies});
  left_out.insert(left_out.end(), alike.left_out.begin(), alike.left_out.end());
  std::vector<double> logs;
  std::vector<std::size_t> by_group, by_model, by_pipeline;
  Combinations models, pipelines;
  for (std::size_t g = 0; g < alike.groups.size(); ++g) {
    const Runs& runs = alike.groups[g].runs;
    const Lengths lengths = lengths_of(view, {}, runs, metric, {});
    std::string refused = lengths.comparable() ? std::string() : metric + " is not compared: " + lengths.refused;
    const std::string apart = kept_apart(view, alike.groups, g, [](const RunGroup&) { return true; });
    if (as_runs(view, runs).size() == 1 && !apart.empty()) refused = "no run to compare with: " + apart;
    for (const std::size_t r : runs) {
      if (!refused.empty()) left_out.push_back({r, refused, apart});
    }
    if (!refused.empty()) continue;
    for (const RunValue& run : side_of(view, runs, metric, {}, lengths)) {
      if (!(run.value > 0)) continue;
      logs.push_back(std::log(run.value));
      by_group.push_back(g);
      by_model.push_back(models.number(view, run.report, model));
      by_pipeline.push_back(pipelines.number(view, run.report, pipeline));
    }
  }
  centre(logs, by_group, alike.groups.size());
  const double whole = squared_deviations(logs);
  if (logs.size() < 3 || !(whole > 0)) return std::nullopt;
  VarianceShares out;
  out.runs = logs.size();
  out.models = models.size();
  out.groups = std::set<std::size_t>(by_group.begin(), by_group.end()).size();
  out.pipelines = pipelines.size();
  // Alternating projections converge to least squares over the groups and all factors.
  const auto explained = [&](auto&& take_off) {
    std::vector<double> rest = logs;
    double before = squares(rest) + 1;
    for (int round = 0; round < 10000 && before - squares(rest) > 1e-12 * whole; ++round) {
      before = squares(rest);
      take_off(rest);
      centre(rest, by_group, alike.groups.size());
    }
    return 1 - squares(rest) / whole;
  };
  const auto of_model = [&](std::vector<double>& rest) { centre(rest, by_model, models.size()); };
  const auto of_pipeline = [&](std::vector<double>& rest) { centre(rest, by_pipeline, pipelines.size()); };
  out.model_alone = explained(of_model);
  out.pipeline_alone = explained(of_pipeline);
  out.both = explained([&](std::vector<double>& rest) {
    of_model(rest);
    of_pipeline(rest);
  });
  return out;
}

}  // namespace assay::pipeline
