#include "shape.hpp"

#include <algorithm>
#include <cmath>

namespace assay::cliff {
namespace {

/// Ratios inside 0..1 are compared by their logits, because near 1 a small difference is a large one; other positive
/// metrics by their logs.
std::optional<std::vector<BlockObservation>> responses(const Sweep& sweep) {
  const auto inside = [](double low, double high) {
    return [low, high](const Observation& o) { return o.value > low && o.value < high; };
  };
  const bool ratios = std::all_of(sweep.runs.begin(), sweep.runs.end(), inside(0, 1));
  const bool positive =
      std::all_of(sweep.runs.begin(), sweep.runs.end(), inside(0, std::numeric_limits<double>::infinity()));
  if (!ratios && !positive) return std::nullopt;
  std::vector<BlockObservation> out;
  for (const Observation& run : sweep.runs) {
    const double y = ratios ? std::log(run.value / (1 - run.value)) : std::log(run.value);
    out.push_back({run.level, run.block, y});
  }
  return out;
}

bool is_monotone(const BlockFit& fit) {
  const bool up = fit.rise() > 0;
  for (std::size_t j = 0; j + 1 < fit.effect.size(); ++j) {
    if ((fit.step(j) > 0) != up) return false;
  }
  return true;
}

/// Fills step, share and runner-up: the steps by how much of the rise they carry.
void rank_steps(Shape& shape) {
  const BlockFit& fit = shape.fit;
  for (std::size_t j = 0; j + 1 < fit.effect.size(); ++j) {
    const double share = fit.step(j) / fit.rise();
    if (j == 0 || share > shape.share) {
      if (j != 0) {
        shape.runner_up = shape.step;
        shape.runner_up_share = shape.share;
      }
      shape.step = j;
      shape.share = share;
    } else if (!shape.runner_up || share > shape.runner_up_share) {
      shape.runner_up = j;
      shape.runner_up_share = share;
    }
  }
}

/// Fills the metric's range before and after the step, and whether the runs after it lie flat over at least two levels.
void describe_sides(const Sweep& sweep, const Thresholds& thresholds, Shape& shape) {
  const std::size_t last_before = shape.fit.levels[shape.step];
  shape.before_low = shape.after_low = std::numeric_limits<double>::infinity();
  shape.before_high = shape.after_high = -std::numeric_limits<double>::infinity();
  for (const Observation& run : sweep.runs) {
    const bool before = run.level <= last_before;
    double& low = before ? shape.before_low : shape.after_low;
    double& high = before ? shape.before_high : shape.after_high;
    low = std::min(low, run.value);
    high = std::max(high, run.value);
  }
  const bool several = sweep.levels.size() - last_before > 2;
  shape.plateau = several && shape.after_high - shape.after_low < thresholds.flat;
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kCliff:
      return "cliff";
    case Kind::kGradual:
      return "gradual";
    case Kind::kNone:
      return "no usable step";
    case Kind::kUnfit:
      break;
  }
  return "too few runs";
}

Shape shape_of(const Sweep& sweep, const Thresholds& thresholds) {
  Shape shape;
  const auto observations = responses(sweep);
  if (!observations) return shape;
  shape.fit = fit_blocks(*observations);
  if (shape.fit.levels.empty() || shape.fit.degrees < 1 || shape.fit.rise() == 0) return shape;
  rank_steps(shape);
  describe_sides(sweep, thresholds, shape);
  const double beyond = thresholds.k * shape.fit.residual_sd;
  if (shape.share >= thresholds.min_share && std::abs(shape.fit.step(shape.step)) > beyond) {
    shape.kind = Kind::kCliff;
  } else if (is_monotone(shape.fit) && std::abs(shape.fit.rise()) > beyond) {
    shape.kind = Kind::kGradual;
  } else {
    shape.kind = Kind::kNone;
  }
  return shape;
}

Separation separate(const std::vector<double>& scores, const std::vector<char>& above) {
  std::vector<std::size_t> order(scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  // With the threshold below every score, every run is called above.
  std::size_t errors = static_cast<std::size_t>(std::count(above.begin(), above.end(), 0));
  Separation best{scores.empty() ? 0.0 : scores[order.front()], errors};
  for (std::size_t i = 0; i < order.size(); ++i) {
    above[order[i]] != 0 ? ++errors : --errors;
    const bool last = i + 1 == order.size();
    if (!last && scores[order[i + 1]] == scores[order[i]]) continue;
    if (errors < best.errors) best = {last ? std::numeric_limits<double>::infinity() : scores[order[i + 1]], errors};
  }
  return best;
}

Separation separated_at(double threshold, const std::vector<double>& scores, const std::vector<char>& above) {
  Separation out{threshold, 0};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    out.errors += (scores[i] >= threshold) != (above[i] != 0) ? 1U : 0U;
  }
  return out;
}

std::optional<double> widest_gap(std::vector<double> values) {
  if (values.size() < 3) return std::nullopt;
  std::sort(values.begin(), values.end());
  std::size_t at = 0;
  double widest = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i] - values[i - 1] > widest) {
      widest = values[i] - values[i - 1];
      at = i;
    }
  }
  if (widest == 0) return std::nullopt;
  return values[at];
}

}  // namespace assay::cliff
