// The plot of numa_sensitivity.
#pragma once

#include "assay/plot.hpp"
#include "nodes.hpp"

namespace assay::numa {

/// Every comparison's ratio with its interval, one small plot a metric. `nodes` has comparisons.
Plot node_plot(const Nodes& nodes, const Design& design);

}  // namespace assay::numa
