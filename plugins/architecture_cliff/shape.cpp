#include "shape.hpp"

#include <algorithm>
#include <cmath>

#include "assay/algo/distributions.hpp"
#include "assay/detail/multiplicity.hpp"

namespace assay::cliff {
namespace {

/// The observations on the scale of the fit. Ratios inside 0..1 are compared by logits, because near 1 a small
/// difference matters; other positive metrics by logs. Empty if a value has neither.
std::optional<std::vector<BlockObservation>> responses(const Sweep& sweep, bool& logits) {
  const auto inside = [&](double low, double high) {
    return std::ranges::all_of(sweep.runs, [&](const Observation& o) { return o.value > low && o.value < high; });
  };
  logits = inside(0, 1);
  if (!logits && !inside(0, std::numeric_limits<double>::infinity())) return std::nullopt;
  std::vector<BlockObservation> out;
  for (const Observation& run : sweep.runs) {
    const double y = logits ? std::log(run.value / (1 - run.value)) : std::log(run.value);
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

/// Fills step, share and runner-up, by ranking the steps by their part of the rise.
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

/// Fills the range of the metric before and after the step, and whether the runs after it are flat over at least two
/// levels.
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

/// The fit and its largest step; `kUnfit` if the runs do not allow one.
Shape fitted(const Sweep& sweep, const Thresholds& thresholds) {
  Shape shape;
  const auto observations = responses(sweep, shape.logits);
  if (!observations) return shape;
  shape.fit = fit_blocks(*observations);
  if (shape.fit.levels.empty() || shape.fit.degrees < kMinDegrees || shape.fit.rise() == 0) return shape;
  rank_steps(shape);
  describe_sides(sweep, thresholds, shape);
  shape.kind = Kind::kNone;
  return shape;
}

/// Bounds of step / rise (Fieller 1954).
Bounds share_bounds(const Shape& shape, double t) {
  const BlockFit& fit = shape.fit;
  const std::size_t last = fit.levels.size() - 1, from = shape.step;
  const double step = fit.step(from), rise = fit.rise();
  const double of_step = fit.covariance({from, from + 1}, {from, from + 1}),
               of_rise = fit.covariance({0, last}, {0, last}), of_both = fit.covariance({from, from + 1}, {0, last});
  const double a = rise * rise - t * t * of_rise, b = step * rise - t * t * of_both, c = step * step - t * t * of_step;
  if (!(a > 0)) return {};
  const double half = std::sqrt(std::max(0.0, b * b - a * c));
  return {(b - half) / a, (b + half) / a};
}

void judge(Shape& shape, const Thresholds& thresholds, double level) {
  const BlockFit& fit = shape.fit;
  const double t = student_t_quantile((1 + level) / 2, static_cast<double>(fit.degrees));
  const double step = fit.step(shape.step), rise = fit.rise();
  const double of_step = t * fit.error({shape.step, shape.step + 1}),
               of_rise = t * fit.error({0, fit.levels.size() - 1});
  shape.level = level;
  shape.step_bounds = {step - of_step, step + of_step};
  shape.rise_bounds = {rise - of_rise, rise + of_rise};
  shape.share_bounds = share_bounds(shape, t);
  const double beyond = thresholds.k * fit.residual_sd;
  const bool rises = std::abs(rise) > of_rise && std::abs(rise) > beyond;
  const bool jumps = std::abs(step) > of_step && std::abs(step) > beyond;
  if (rises && jumps && shape.share >= thresholds.min_share && shape.share <= thresholds.max_share) {
    shape.kind = Kind::kCliff;
  } else if (rises && is_monotone(fit)) {
    shape.kind = Kind::kGradual;
  }
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
  return "too few settings";
}

std::vector<Shape> shapes_of(const std::vector<Sweep>& sweeps, const Thresholds& thresholds, double level) {
  std::vector<Shape> shapes;
  std::size_t steps = 0;
  for (const Sweep& sweep : sweeps) {
    shapes.push_back(fitted(sweep, thresholds));
    if (shapes.back().kind != Kind::kUnfit) steps += shapes.back().fit.levels.size() - 1;
  }
  for (Shape& shape : shapes) {
    if (shape.kind != Kind::kUnfit) judge(shape, thresholds, shared_level(steps, level));
  }
  return shapes;
}

Separation separate(const std::vector<double>& scores, const std::vector<char>& above) {
  std::vector<std::size_t> order(scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  // With a threshold below every score, all runs are classified as above.
  std::size_t errors = static_cast<std::size_t>(std::ranges::count(above, 0));
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
  std::ranges::sort(values);
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
