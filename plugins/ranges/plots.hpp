// The tree of ranges as a plot.
#pragma once

#include <optional>
#include <vector>

#include "assay/plot.hpp"
#include "words.hpp"

namespace assay::ranges {

/// A bar per path, as long as its share of the capture and split by whether the device works for it; empty without
/// reports.
std::optional<Plot> tree_plot(const StudyView& view, const std::vector<ReportPaths>& reports);

}  // namespace assay::ranges
