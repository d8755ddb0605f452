// The results of ranges for one report.
#pragma once

#include <vector>

#include "assay/detail/path_times.hpp"
#include "assay/output.hpp"

namespace assay::ranges {

/// At most `most` rows, those with the largest shares of the window on host or device, in their original order.
std::vector<PathTimes> largest_rows(const std::vector<PathTimes>& rows, std::size_t most, double window);

void emit_facts(const PathTree& tree, const std::vector<PathTimes>& rows, ReportSink& sink);
Table path_table(const PathTree& tree, const std::vector<PathTimes>& rows);

}  // namespace assay::ranges
