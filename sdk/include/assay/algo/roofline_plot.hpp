// The roofline as a plot: log-log, one point per operator or kernel, its area its GPU time, under the roofs of the
// devices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/plot.hpp"

namespace assay::roofline {

struct RooflinePoint {
  std::string report, name, shapes;                     ///< shapes: empty where there are none
  std::string bound;                                    ///< the series
  double intensity = 0, rate = 0, time = 0, share = 0;  ///< FLOP/byte, FLOP/s, ns, of its roof; NaN: not known
};

/// Along the bandwidth to the peak, then flat.
struct RoofLine {
  std::string report, type;
  double flops_per_s = 0, bytes_per_s = 0;
};

/// `what` the points are: "operator", "kernel". Nothing without points; id and words are the caller's.
std::optional<Plot> roofline_plot(const std::string& what, const std::vector<RooflinePoint>& points,
                                  const std::vector<RoofLine>& roofs);

}  // namespace assay::roofline
