// Lines that stay above some points and below others: the possible offsets of a drifting clock.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace assay::ranks {

struct BoundPoint {
  double x = 0, y = 0;
};

/// The points that a line on one side of all points can touch: their convex hull on that side. Points may come in any
/// order; memory is that of the hull.
class HalfHull {
 public:
  /// `upper`: the line stays below the points; otherwise above them.
  explicit HalfHull(bool upper) : sign_(upper ? 1 : -1) {}
  void add(double x, double y);
  /// Maximum (upper: minimum) value at x = 0 of a line with this slope on its side.
  [[nodiscard]] double limit(double slope);

 private:
  void reduce();

  double sign_;
  std::vector<BoundPoint> points_;  ///< y times the sign; the first `reduced_` are a hull
  std::size_t reduced_ = 0;
};

/// Constraints on an offset that changes linearly. x is a time near 0 (ns relative to some time of the capture), so
/// that a double is exact; y an offset in ns.
class LineBounds {
 public:
  void at_least(double x, double y) { least_.add(x, y); }
  void at_most(double x, double y) { most_.add(x, y); }

  /// Minimum and maximum slope of the lines that fit, limited to kSteepest in both directions; empty if none fits.
  [[nodiscard]] std::optional<std::pair<double, double>> slopes();
  /// Minimum and maximum offset at x = 0 of the lines with a slope that fits.
  [[nodiscard]] std::pair<double, double> offsets(double slope) { return {least_.limit(slope), most_.limit(slope)}; }
  /// Minimum and maximum offset at x of all lines that fit, given their slopes.
  [[nodiscard]] std::pair<double, double> range_at(double x, std::pair<double, double> slopes);

  /// Upper limit of a clock's rate error: one thousandth. Oscillators are accurate to 1e-4 or better.
  static constexpr double kSteepest = 1e-3;

 private:
  [[nodiscard]] double room(double slope) { return most_.limit(slope) - least_.limit(slope); }

  HalfHull least_{false}, most_{true};
};

}  // namespace assay::ranks
