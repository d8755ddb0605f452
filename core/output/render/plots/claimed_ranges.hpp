// What the claims of a question give for what a plot shows.
#pragma once

#include <string>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

struct ClaimedRanges {
  std::vector<PlotReference> ranges;  ///< in the unit of the axis; a bound that is not claimed is infinite
  std::string said;  ///< "Dotted lines mark the claimed range: × 0.600 to 0.700."; empty where nothing is claimed
};

/// Claims about the metric of the plot's axis of numbers, or about that of a panel, of the kind that the axis shows:
/// levels on an axis of the metric's unit, ratios on a logarithmic axis of ratios. The plot has its titles in words.
ClaimedRanges claimed_ranges(const QuestionResult& result, const OwnedPlot& plot);

}  // namespace assay
