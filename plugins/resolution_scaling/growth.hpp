// How a cost grows along a numeric label: the exponent of a power law, with an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/algo/bounds.hpp"
#include "assay/algo/sweeps.hpp"
#include "assay/detail/noise.hpp"

namespace assay::scaling {

/// A metric whose growth is asked for.
struct Cost {
  std::string metric;
  std::string dims{};          ///< canonical; empty for none
  bool per_iteration = false;  ///< a sum over the window, to be divided by `iteration.count`

  /// "copy.time_sum_ns h2d per iteration".
  [[nodiscard]] std::string name() const;
};

/// A cost at one level: the median over its runs, the ranks of a job being one.
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
  Bounds by_noise;     ///< the same by the spread between repeat runs alone, whether or not a line fits; shared level
  double degrees = 0;  ///< of the interval
  double residual_sd = 0;     ///< of the logs around the line; 0 with two points
  bool bent = false;          ///< the points leave the line by more than repeat runs differ: there is no one exponent
  std::vector<double> local;  ///< exponent between each two neighbouring points
  std::size_t runs = 0;

  /// Whether the spread between repeat runs is known; only then anything is decided.
  [[nodiscard]] bool between_run() const { return by_noise.known(); }
};

/// Whether a cost grows on the whole, be it along a line or not.
enum class Direction {
  kGrows,    ///< all of `by_noise` lies above 0
  kShrinks,  ///< below 0
  kOpen,     ///< neither, or the spread between repeat runs is not known
};
Direction direction_of(const Growth& growth);

/// Points of positive values; levels without are left out. None where the runs are not comparable in their lengths
/// (lengths.hpp); `left_out` says so.
std::vector<Point> points_of(const StudyView& view, const LabelSweep& sweep, const Cost& cost,
                             std::vector<UnmatchedReport>& left_out);

/// How growth is judged.
struct Judging {
  double level = 0.95;   ///< of the interval of the exponent
  double shared = 0.95;  ///< of `by_noise`, which decides: shared by all growths that are judged
  double bent_at = 3;
};

/// Nothing with fewer than two points. The interval is the wider of two: of the spread between repeat runs (`floor`),
/// and, from three points on, of the residuals around the line. The line is bent when these exceed `bent_at` times the
/// spread between repeat runs.
std::optional<Growth> growth_of(std::vector<Point> points, const NoiseFloor& floor, const Judging& judging);

}  // namespace assay::scaling
