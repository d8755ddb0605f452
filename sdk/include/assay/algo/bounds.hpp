// An interval of confidence, and what may be concluded from it.
#pragma once

#include <cmath>
#include <limits>

namespace assay {

/// Both ends included. NaN: no interval could be made; infinite: not bounded on that side.
struct Bounds {
  double lo = std::numeric_limits<double>::quiet_NaN();
  double hi = std::numeric_limits<double>::quiet_NaN();

  [[nodiscard]] bool known() const { return !std::isnan(lo) && !std::isnan(hi); }
  [[nodiscard]] bool finite() const { return std::isfinite(lo) && std::isfinite(hi); }
  [[nodiscard]] bool contains(double value) const { return lo <= value && value <= hi; }
};

/// Whether the whole interval lies within `margin` of `centre`: the only way to show "no effect". False for no
/// interval.
inline bool equivalent(Bounds bounds, double margin, double centre = 0) {
  return bounds.lo >= centre - margin && bounds.hi <= centre + margin;
}

}  // namespace assay
