// Lines that stay above some points and below others: how the offset of a clock that drifts may go.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace assay::ranks {

struct BoundPoint {
  double x = 0, y = 0;
};

/// Of many points those that a line which stays on one side of all can touch: their convex hull on that side. Points
/// may come in any order; memory is that of the hull.
class HalfHull {
 public:
  /// `upper`: the line stays below the points; else above them.
  explicit HalfHull(bool upper) : sign_(upper ? 1 : -1) {}
  void add(double x, double y);
  /// Greatest (upper: least) value at x = 0 of a line of this slope that stays on its side.
  [[nodiscard]] double limit(double slope);

 private:
  void reduce();

  double sign_;
  std::vector<BoundPoint> points_;  ///< y times the sign; the first `reduced_` are a hull
  std::size_t reduced_ = 0;
};

/// What is asked of an offset that changes along a line. x is a time near 0 (ns since some time of the capture), so
/// that a double holds it; y an offset in ns.
class LineBounds {
 public:
  void at_least(double x, double y) { least_.add(x, y); }
  void at_most(double x, double y) { most_.add(x, y); }

  /// Least and greatest slope of a line that fits, at most kSteepest either way; nothing where none fits.
  [[nodiscard]] std::optional<std::pair<double, double>> slopes();
  /// Least and greatest offset at x = 0 of lines of a slope that fits.
  [[nodiscard]] std::pair<double, double> offsets(double slope) { return {least_.limit(slope), most_.limit(slope)}; }
  /// Least and greatest offset at x of all lines that fit, whose slopes these are.
  [[nodiscard]] std::pair<double, double> range_at(double x, std::pair<double, double> slopes);

  /// No clock is wrong by more: a thousandth. Oscillators are good to 1e-4 and better.
  static constexpr double kSteepest = 1e-3;

 private:
  [[nodiscard]] double room(double slope) { return most_.limit(slope) - least_.limit(slope); }

  HalfHull least_{false}, most_{true};
};

}  // namespace assay::ranks
