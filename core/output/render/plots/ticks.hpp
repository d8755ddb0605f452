// Ranges and ticks of axes of numbers.
#pragma once

#include "render/plots/drawing.hpp"

namespace assay {

/// What an axis of numbers has to hold, in display units.
struct NumberRange {
  double lo, hi;
  /// Nothing seen yet: lo > hi.
  static NumberRange nothing();
  void include(double value);  ///< NaN is passed over
  [[nodiscard]] bool empty() const { return lo > hi; }
};

/// The axis around `range`: with a margin, 0 included where asked for, ticks at round numbers. A log axis of values
/// that are not all positive becomes a linear one.
DrawnAxis number_axis(NumberRange range, const PlotAxis& axis, bool bars);

/// Sets the ticks at the values themselves where they are few and stand apart: tested levels, not round numbers.
void tick_at(DrawnAxis& axis, std::vector<double> values);

}  // namespace assay
