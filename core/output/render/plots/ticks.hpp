// Ranges and ticks of numeric axes.
#pragma once

#include "render/plots/drawing.hpp"

namespace assay {

/// Range of values, in display units.
struct NumberRange {
  double lo, hi;
  /// Empty range: lo > hi.
  static NumberRange nothing();
  void include(double value);  ///< ignores NaN
  [[nodiscard]] bool empty() const { return lo > hi; }
};

/// Axis around `range`: with a margin, 0 included on request, ticks at round numbers. A log axis with values that are
/// not all positive becomes linear.
DrawnAxis number_axis(NumberRange range, const PlotAxis& axis, bool bars);

/// Puts ticks at the values themselves if they are few and far enough apart: tested levels instead of round numbers.
void tick_at(DrawnAxis& axis, std::vector<double> values);

}  // namespace assay
