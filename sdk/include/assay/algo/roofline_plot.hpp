// Roofline plot: log-log, one point per operator or kernel with GPU time as area, under the roofs of the devices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/plot.hpp"

namespace assay::roofline {

struct RooflinePoint {
  std::string report, name, shapes;                     ///< shapes: may be empty
  std::string bound;                                    ///< the series: "memory", ...
  double intensity = 0, rate = 0, time = 0, share = 0;  ///< FLOP/byte, FLOP/s, ns, share of its roof; NaN: unknown
};

/// Roof of one device: follows the bandwidth up to the peak, then flat.
struct RoofLine {
  std::string report, type;                 ///< type: of the operands, "bf16"; one layer each
  double flops_per_s = 0, bytes_per_s = 0;  ///< > 0
};

/// Plot of the points under the roofs, one facet per report. `what` the points are: "operator", "kernel". Empty without
/// points; the caller sets id and texts.
std::optional<Plot> roofline_plot(const std::string& what, const std::vector<RooflinePoint>& points,
                                  const std::vector<RoofLine>& roofs);

}  // namespace assay::roofline
