#include "growth.hpp"

#include <cmath>

#include "assay/algo/contrast.hpp"
#include "assay/algo/distributions.hpp"
#include "assay/algo/participation.hpp"

namespace assay::scaling {
namespace {

/// Sums over the points of a straight line.
struct Line {
  double slope = 0, squares_x = 0, residual_squares = 0;

  explicit Line(const std::vector<Point>& points) {
    const auto n = static_cast<double>(points.size());
    double mean_x = 0, mean_y = 0, products = 0;
    for (const Point& p : points) {
      mean_x += std::log(p.at) / n;
      mean_y += std::log(p.value) / n;
    }
    for (const Point& p : points) {
      const double x = std::log(p.at) - mean_x;
      squares_x += x * x;
      products += x * (std::log(p.value) - mean_y);
    }
    slope = products / squares_x;
    for (const Point& p : points) {
      const double off = std::log(p.value) - mean_y - slope * (std::log(p.at) - mean_x);
      residual_squares += off * off;
    }
  }
};

/// Standard error of the slope if the log of a point has the variance of its median over runs.
double slope_error(const std::vector<Point>& points, double squares_x, double sd) {
  double mean_x = 0, variance = 0;
  for (const Point& p : points) mean_x += std::log(p.at) / static_cast<double>(points.size());
  for (const Point& p : points) {
    const double weight = (std::log(p.at) - mean_x) / squares_x;
    variance += weight * weight * sd * sd * median_variance(p.runs);
  }
  return std::sqrt(variance);
}

}  // namespace

std::string Cost::name() const {
  const std::size_t equals = dims.find('=');
  return metric + (equals == std::string::npos ? "" : " " + dims.substr(equals + 1)) +
         (per_iteration ? " per iteration" : "");
}

Direction direction_of(const Growth& growth) {
  if (!growth.between_run()) return Direction::kOpen;
  return growth.by_noise.lo > 0 ? Direction::kGrows : growth.by_noise.hi < 0 ? Direction::kShrinks : Direction::kOpen;
}

std::vector<Point> points_of(const StudyView& view, const LabelSweep& sweep, const Cost& cost,
                             std::vector<UnmatchedReport>& left_out) {
  Lengths lengths = lengths_of(view, {}, sweep.runs, cost.metric, cost.dims);
  if (!lengths.comparable()) {
    for (const std::size_t r : sweep.runs)
      left_out.push_back({r, cost.name() + " is not compared: " + lengths.refused});
    return {};
  }
  lengths.per_iteration = lengths.per_iteration || cost.per_iteration;
  std::vector<Point> points;
  for (std::size_t l = 0; l < sweep.levels.size(); ++l) {
    Point point{l, sweep.levels[l].order, 0, 0, {}};
    std::vector<double> values;
    for (const RunValue& run : side_of(view, sweep.levels[l].reports, cost.metric, cost.dims, lengths)) {
      if (!(run.value > 0)) continue;
      values.push_back(run.value);
      point.facts.insert(point.facts.end(), run.facts.begin(), run.facts.end());
    }
    if (values.empty() || !(point.at > 0)) continue;
    point.runs = values.size();
    point.value = median_in_place(values);
    points.push_back(std::move(point));
  }
  return points;
}

std::optional<Growth> growth_of(std::vector<Point> points, const NoiseFloor& floor, const Judging& judging) {
  if (points.size() < 2) return std::nullopt;
  const Line line(points);
  Growth growth;
  growth.exponent = line.slope;
  for (const Point& p : points) growth.runs += p.runs;
  for (std::size_t i = 1; i < points.size(); ++i) {
    growth.local.push_back(std::log(points[i].value / points[i - 1].value) / std::log(points[i].at / points[i - 1].at));
  }
  double half = 0;
  if (floor.known()) {
    growth.degrees = floor.degrees;
    const double error = slope_error(points, line.squares_x, floor.sd_log);
    half = student_t_quantile((1 + judging.level) / 2, floor.degrees) * error;
    const double decisive = student_t_quantile((1 + judging.shared) / 2, floor.degrees) * error;
    growth.by_noise = {growth.exponent - decisive, growth.exponent + decisive};
  }
  if (points.size() > 2) {
    const auto degrees = static_cast<double>(points.size() - 2);
    growth.residual_sd = std::sqrt(line.residual_squares / degrees);
    growth.bent = floor.known() && growth.residual_sd > judging.bent_at * floor.sd_log;
    const double of_fit =
        student_t_quantile((1 + judging.level) / 2, degrees) * growth.residual_sd / std::sqrt(line.squares_x);
    if (of_fit > half) {
      half = of_fit;
      growth.degrees = degrees;
    }
  }
  if (half > 0) growth.bounds = {growth.exponent - half, growth.exponent + half};
  growth.points = std::move(points);
  return growth;
}

}  // namespace assay::scaling
