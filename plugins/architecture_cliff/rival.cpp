#include "rival.hpp"

#include <algorithm>

namespace assay::cliff {

std::size_t Rival::launch_bound() const {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const ScoredRun& run) { return run.score < 1; }));
}

std::optional<Rival> rival_of(const StudyView& view, const std::vector<Sweep>& sweeps, std::string_view axis,
                              std::string_view numerator, std::string_view denominator) {
  Rival rival;
  const auto label = view.label(axis);
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    for (const Observation& observation : sweeps[s].runs) {
      const auto report = static_cast<Row>(observation.report);
      const auto device = view.value(report, numerator);
      const auto host = view.value(report, denominator);
      if (!device || !host || *host <= 0) continue;
      const std::size_t row = *view.label_value(observation.report, *label);
      rival.runs.push_back(
          {observation.report, s, observation, view.study().label_values->order[row], *device / *host});
    }
  }
  std::vector<double> values;
  for (const ScoredRun& run : rival.runs) values.push_back(run.observation.value);
  const auto boundary = widest_gap(values);
  if (!boundary) return std::nullopt;
  rival.boundary = *boundary;

  std::vector<char> above;
  std::vector<double> axis_scores, rival_scores;
  for (const ScoredRun& run : rival.runs) {
    above.push_back(run.observation.value >= rival.boundary ? 1 : 0);
    axis_scores.push_back(run.axis);
    rival_scores.push_back(run.score);
  }
  rival.above = static_cast<std::size_t>(std::count(above.begin(), above.end(), 1));
  rival.by_axis = separate(axis_scores, above);
  rival.by_score = separate(rival_scores, above);
  rival.by_launch_bound = separated_at(1, rival_scores, above);
  return rival;
}

}  // namespace assay::cliff
