#include "variance.hpp"

#include <cmath>
#include <map>
#include <span>

#include "assay/algo/matching.hpp"
#include "assay/algo/summary.hpp"

namespace assay::pipeline {
namespace {

/// Numbers distinct combinations of label values as they come.
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

/// Takes the mean of each group off its values.
void centre(std::vector<double>& values, std::span<const std::size_t> group, std::size_t groups) {
  std::vector<double> sums(groups), counts(groups);
  for (std::size_t i = 0; i < values.size(); ++i) sums[group[i]] += values[i], counts[group[i]] += 1;
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
                                              const std::vector<std::string>& pipeline) {
  std::vector<double> logs;
  std::vector<std::size_t> by_model, by_pipeline;
  Combinations models, pipelines;
  for (const RunReports& run : as_runs(view, view.participants())) {
    const auto value = value_of(view, run, metric);
    if (!value || !(*value > 0)) continue;
    logs.push_back(std::log(*value));
    by_model.push_back(models.number(view, run.front(), model));
    by_pipeline.push_back(pipelines.number(view, run.front(), pipeline));
  }
  const double whole = squared_deviations(logs);
  if (logs.size() < 3 || !(whole > 0)) return std::nullopt;
  VarianceShares out;
  out.runs = logs.size();
  out.models = models.size();
  out.pipelines = pipelines.size();
  const auto left = [&](auto&& step) {
    std::vector<double> rest = logs;
    step(rest);
    return 1 - squares(rest) / whole;
  };
  out.model_alone = left([&](std::vector<double>& rest) { centre(rest, by_model, models.size()); });
  out.pipeline_alone = left([&](std::vector<double>& rest) { centre(rest, by_pipeline, pipelines.size()); });
  out.both = left([&](std::vector<double>& rest) {
    // Alternating projections converge to least squares on both factors.
    double before = squares(rest) + 1;
    for (int round = 0; round < 10000 && before - squares(rest) > 1e-12 * whole; ++round) {
      before = squares(rest);
      centre(rest, by_model, models.size());
      centre(rest, by_pipeline, pipelines.size());
    }
  });
  return out;
}

}  // namespace assay::pipeline
