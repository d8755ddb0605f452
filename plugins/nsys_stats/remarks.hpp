// Remarks on the numbers of nsys: what they omit or count several times.
#pragma once

#include "assay/report.hpp"
#include "launches.hpp"
#include "made.hpp"
#include "ranges.hpp"

namespace assay::nsys {

/// CUDA graphs traced as a whole: their kernels are missing from all kernel reports.
std::vector<Remark> graph_remarks(const Report& report);

/// The same for reports on device use.
std::vector<Remark> use_remarks(const Report& report, Mode mode);

/// Kernels without a call, calls that share an id, and kernels started by one graph launch.
std::vector<Remark> launch_remarks(const Report& report, const Launches& launches);

/// Ranges that end on another thread, and work launched by other threads while a range was open.
std::vector<Remark> range_remarks(const Report& report, const Launches& launches, const RangeHits& hits);

}  // namespace assay::nsys
