// A confidence interval, and conclusions from it.
#pragma once

#include <cmath>
#include <limits>

namespace assay {

/// Inclusive ends. NaN: there is no interval; infinite: unbounded on that side.
struct Bounds {
  double lo = std::numeric_limits<double>::quiet_NaN();
  double hi = std::numeric_limits<double>::quiet_NaN();

  /// Whether there is an interval, possibly infinite.
  [[nodiscard]] bool known() const { return !std::isnan(lo) && !std::isnan(hi); }
  /// Whether both ends are numbers; false without an interval.
  [[nodiscard]] bool finite() const { return std::isfinite(lo) && std::isfinite(hi); }
  /// False without an interval.
  [[nodiscard]] bool contains(double value) const { return lo <= value && value <= hi; }
};

/// Whether the whole interval is within `margin` of `centre`, inclusive: the only way to show "no effect". False
/// without an interval.
inline bool equivalent(Bounds bounds, double margin, double centre = 0) {
  return bounds.lo >= centre - margin && bounds.hi <= centre + margin;
}

}  // namespace assay
