#include "crossings.hpp"

#include <algorithm>
#include <cmath>

#include "assay/algo/distributions.hpp"
#include "assay/algo/summary.hpp"
#include "spread.hpp"

namespace assay::tokens {
namespace {

void add_bounds(const Sweep& sweep, double at_level, std::vector<LevelSpeedup>& levels) {
  double squares = 0, degrees = 0;
  for (const auto& [batch, level] : sweep.levels) {
    for (const std::vector<double>* side : {&level.base, &level.treated}) {
      if (side->size() < 2) return;
      squares += squared_deviations(logs_of(*side));
      degrees += static_cast<double>(side->size() - 1);
    }
  }
  if (degrees == 0) return;
  for (LevelSpeedup& level : levels) {
    const double medians = median_variance(level.base_rows) + median_variance(level.treated_rows);
    const double half =
        student_t_quantile((1 + at_level) / 2, degrees) * std::sqrt(squares / degrees) * std::sqrt(medians);
    level.bounds = {level.speedup * std::exp(-half), level.speedup * std::exp(half)};
  }
}

}  // namespace

Crossing crossing_of(const Sweep& sweep, double level_of_bounds) {
  Crossing out;
  for (const auto& [batch, level] : sweep.levels) {
    LevelSpeedup speedup{batch, level.text, median(level.treated) / median(level.base), 0, 0, {}};
    speedup.base_rows = level.base.size();
    speedup.treated_rows = level.treated.size();
    out.levels.push_back(std::move(speedup));
  }
  add_bounds(sweep, level_of_bounds, out.levels);
  std::vector<CrossoverLevel> levels;
  for (const LevelSpeedup& level : out.levels) levels.push_back({level.batch, level.speedup, level.bounds});
  out.crossover = crossover(levels);
  return out;
}

}  // namespace assay::tokens
