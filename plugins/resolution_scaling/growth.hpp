// Growth of a cost along a numeric label: the exponent of a power law, with an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/algo/bounds.hpp"
#include "assay/algo/sweeps.hpp"
#include "assay/detail/noise.hpp"

namespace assay::scaling {

/// A metric whose growth is determined.
struct Cost {
  std::string metric;
  std::string dims{};          ///< canonical; empty for none
  bool per_iteration = false;  ///< a sum over the window, to be divided by `iteration.count`

  /// "copy.time_sum_ns h2d per iteration".
  [[nodiscard]] std::string name() const;
};

/// A cost at one level: the median over its runs; the ranks of a job count as one.
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
  Bounds bounds;              ///< of the exponent at the requested level; unknown without a spread
  Bounds by_noise;         ///< the same from the spread between repeat runs alone, whether or not a line fits; at the
                           ///< shared level
  double degrees = 0;      ///< of the interval
  double residual_sd = 0;  ///< of the logs around the line; 0 with two points
  bool bent = false;       ///< the points deviate from the line by more than repeat runs differ, so there is no
                           ///< single exponent
  std::vector<double> local;  ///< exponent between neighbouring points
  std::size_t runs = 0;

  /// Whether the spread between repeat runs is known; otherwise nothing is decided.
  [[nodiscard]] bool between_run() const { return by_noise.known(); }
};

/// Whether a cost grows overall, along a line or not.
enum class Direction {
  kGrows,    ///< all of `by_noise` is above 0
  kShrinks,  ///< below 0
  kOpen,     ///< neither, or the spread between repeat runs is unknown
};
Direction direction_of(const Growth& growth);

/// Points with positive values; levels without are skipped. Empty if the runs are not comparable in length
/// (lengths.hpp), which is reported in `left_out`.
std::vector<Point> points_of(const StudyView& view, const LabelSweep& sweep, const Cost& cost,
                             std::vector<UnmatchedReport>& left_out);

/// Parameters for judging growth.
struct Judging {
  double level = 0.95;   ///< of the interval of the exponent
  double shared = 0.95;  ///< of `by_noise`, which decides: shared by all judged growths
  double bent_at = 3;
};

/// Empty with fewer than two points. The interval is the wider of two: from the spread between repeat runs (`floor`),
/// and, from three points on, from the residuals around the line. The line is bent if these exceed 3 times the
/// spread between repeat runs.
std::optional<Growth> growth_of(std::vector<Point> points, const NoiseFloor& floor, const Judging& judging);

}  // namespace assay::scaling
