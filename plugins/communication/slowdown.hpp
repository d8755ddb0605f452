// Compares compute kernels that overlap communication with the same kernels of a run without it: the k-th kernel of a
// (name, grid) in a step with the k-th of that key in the reference. Means by name would mix different shapes.
#pragma once

#include <map>

#include "assay/output.hpp"
#include "assay/study.hpp"
#include "emit.hpp"

namespace assay::communication {

/// The time of a kernel position in a step, summed over the steps.
struct Place {
  double time = 0, count = 0;                ///< ns
  double beside_time = 0, beside_count = 0;  ///< kernels with communication during at least half of their time
  double alone_time = 0, alone_count = 0;    ///< kernels without any
};
/// Keyed by a number for (name, grid, number of earlier ones in the step) that a double holds exactly.
using Places = std::map<double, Place>;

/// Requires col::kernel_name and col::kernel_grid.
Places places_of(const Report& report, const DeviceWork& work, const std::vector<MeasuredStep>& steps);

void emit_places(const Places& places, ReportSink& sink);

/// As emitted for a report; empty if there were none.
Places read_places(const StudyView& view, std::size_t report);

struct Slowdown {
  double matched = 0;  ///< share of compute time that is compared
  double own = 0, reference = 0;
  double beside = 0, beside_reference = 0, alone = 0, alone_reference = 0;
};
Slowdown compare(const Places& own, const Places& reference);

}  // namespace assay::communication
