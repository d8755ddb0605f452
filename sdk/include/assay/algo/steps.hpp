// Piecewise-constant fit of a response along an ordered axis: where it jumps, by how much, and which split comes second
// (statistics.md, Cliff on an ordered label); and how well a threshold on a score separates two classes.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "assay/algo/block_fit.hpp"
#include "assay/algo/bounds.hpp"
#include "assay/algo/distributions.hpp"

namespace assay {

/// The model "one value up to a level, another from the next one on, plus a shift a block".
struct Split {
  std::size_t lower = 0, upper = 0;  ///< the two tested levels that it lies between
  double jump = 0;                   ///< from the lower side to the upper one
  double residual_sd = 0;            ///< of the observations around this model; NaN without degrees of freedom
  Bounds jump_bounds;                ///< t interval, given that the split is here; NaN without degrees of freedom
  double share =
      0;  ///< of the rise from the first to the last level that the step from `lower` to `upper` carries; NaN: no rise
};

/// All splits of one axis.
struct StepFit {
  std::vector<Split> splits;             ///< by place on the axis; never empty
  std::size_t best = 0;                  ///< the one with the least residual spread; of equal ones the first
  std::optional<std::size_t> runner_up;  ///< the next best, if there are two
  double rise = 0;                       ///< from the first to the last level, of the fit with one effect a level
  double residual_sd = 0;  ///< around that fit: the spread that no step explains; NaN without degrees of freedom
  std::vector<std::size_t> left_out;  ///< levels that occur in one block only, which add no evidence
};

/// Fits every split by least squares, with additive block effects. `confidence` is of the intervals, 0..1. Levels are
/// numbered along the axis. Nothing when fewer than two levels take part, or when blocks do not connect them.
inline std::optional<StepFit> best_split(std::span<const BlockObservation> observations, double confidence) {
  const BlockFit by_level = fit_blocks(observations);
  if (by_level.levels.size() < 2) return std::nullopt;
  const auto takes_part = [&](std::size_t level) {
    return std::binary_search(by_level.levels.begin(), by_level.levels.end(), level);
  };
  StepFit fit;
  fit.rise = by_level.rise();
  fit.residual_sd = by_level.residual_sd;
  for (const BlockObservation& o : observations) {
    if (!takes_part(o.level)) fit.left_out.push_back(o.level);
  }
  std::sort(fit.left_out.begin(), fit.left_out.end());
  fit.left_out.erase(std::unique(fit.left_out.begin(), fit.left_out.end()), fit.left_out.end());

  for (std::size_t j = 0; j + 1 < by_level.levels.size(); ++j) {
    Split split;
    split.lower = by_level.levels[j];
    split.upper = by_level.levels[j + 1];
    std::vector<BlockObservation> two_sided;
    for (const BlockObservation& o : observations) {
      if (takes_part(o.level)) two_sided.push_back({o.level >= split.upper ? std::size_t{1} : 0, o.block, o.y});
    }
    const BlockFit two = fit_blocks(two_sided);
    assert(two.levels.size() == 2);  // blocks that connect all levels connect both sides
    split.jump = two.step(0);
    split.residual_sd = two.residual_sd;
    if (two.degrees > 0) {
      const double half =
          student_t_quantile((1 + confidence) / 2, static_cast<double>(two.degrees)) * two.step_error(0);
      split.jump_bounds = {split.jump - half, split.jump + half};
    }
    split.share = fit.rise == 0 ? std::numeric_limits<double>::quiet_NaN() : by_level.step(j) / fit.rise;
    fit.splits.push_back(split);
  }
  // Every split has the same degrees of freedom, so that the spreads compare as the sums of squares do.
  for (std::size_t s = 1; s < fit.splits.size(); ++s) {
    const auto closer = [&](std::size_t a, std::size_t b) {
      return fit.splits[a].residual_sd < fit.splits[b].residual_sd;
    };
    if (closer(s, fit.best)) {
      fit.runner_up = fit.best;
      fit.best = s;
    } else if (!fit.runner_up || closer(s, *fit.runner_up)) {
      fit.runner_up = s;
    }
  }
  return fit;
}

/// The best threshold on a score as a predictor of a class.
struct Separation {
  double threshold = 0;    ///< halfway between the nearest scores of the two sides; infinite when one side is empty
  std::size_t errors = 0;  ///< observations on the wrong side
  bool above_is_member = true;  ///< which side predicts membership: scores at or above the threshold, or those below
};

/// Threshold with the fewest errors; of equal ones "above is member" first, then the lowest. One element an observation
/// in both; observations with equal scores stay together. An empty input gives threshold -inf without errors.
inline Separation separation(std::span<const double> scores, std::span<const char> is_member) {
  assert(scores.size() == is_member.size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> order(scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  // Below every score: all are called members, so that the others are the errors.
  auto errors = static_cast<std::size_t>(std::count(is_member.begin(), is_member.end(), 0));
  Separation above{-infinity, errors, true};
  Separation below{-infinity, scores.size() - errors, false};
  for (std::size_t i = 0; i < order.size(); ++i) {
    is_member[order[i]] != 0 ? ++errors : --errors;
    const bool last = i + 1 == order.size();
    if (!last && scores[order[i + 1]] == scores[order[i]]) continue;
    const double threshold = last ? infinity : scores[order[i]] + (scores[order[i + 1]] - scores[order[i]]) / 2;
    if (errors < above.errors) above = {threshold, errors, true};
    if (scores.size() - errors < below.errors) below = {threshold, scores.size() - errors, false};
  }
  return below.errors < above.errors ? below : above;
}

}  // namespace assay
