// What is said beside the numbers of nsys: where they leave something out or count it more than once.
#pragma once

#include "assay/report.hpp"
#include "launches.hpp"
#include "made.hpp"
#include "ranges.hpp"

namespace assay::nsys {

/// CUDA graphs that were traced as a whole: their kernels are in no report of kernels.
std::vector<Remark> graph_remarks(const Report& report);

/// The same for reports of the time in which devices were used.
std::vector<Remark> use_remarks(const Report& report, Mode mode);

/// Kernels without a call, calls that share an id, and kernels that one graph launch started together.
std::vector<Remark> launch_remarks(const Report& report, const Launches& launches);

/// Ranges that end on another thread, and work that other threads launched while a range was open.
std::vector<Remark> range_remarks(const Report& report, const Launches& launches, const RangeHits& hits);

}  // namespace assay::nsys
