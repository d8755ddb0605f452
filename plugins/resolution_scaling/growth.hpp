// How a cost grows along a numeric label: the exponent of a power law, with an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/algo/bounds.hpp"
#include "assay/algo/noise.hpp"
#include "assay/algo/sweeps.hpp"

namespace assay::scaling {

/// A metric at one level: the median over its runs.
struct Point {
  std::size_t level = 0;  ///< of the sweep
  double at = 0;          ///< value of the label
  double value = 0;
  std::size_t runs = 0;
  std::vector<std::int64_t> facts;  ///< rows of Study::facts
};

/// cost ~ label^exponent over the points of a sweep.
struct Growth {
  std::vector<Point> points;  ///< ascending; at least two
  double exponent = 0;        ///< least squares on the logs
  Bounds bounds;              ///< of the exponent at the level asked for; unknown where no spread is
  bool between_run = false;   ///< the bounds hold the spread between equal runs
  double degrees = 0;         ///< of the interval
  double residual_sd = 0;     ///< of the logs around the line; 0 with two points
  bool bent = false;          ///< the points leave the line by more than equal runs differ: there is no one exponent
  std::vector<double> local;  ///< exponent between each two neighbouring points
  std::size_t runs = 0;
};

/// Points of positive values; levels without are left out.
std::vector<Point> points_of(const StudyView& view, const LabelSweep& sweep, std::string_view metric,
                             std::string_view dims = {});

/// Nothing with fewer than two points. The interval is the wider of two: of the spread between equal runs (`floor`),
/// and, from three points on, of the residuals around the line. The line is bent when these exceed `bent_at` times the
/// spread between equal runs.
std::optional<Growth> growth_of(std::vector<Point> points, const NoiseFloor& floor, double level, double bent_at);

}  // namespace assay::scaling
