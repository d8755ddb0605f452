// Claimed ranges of a question for a plot.
#pragma once

#include <string>
#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

struct ClaimedRanges {
  std::vector<PlotReference> ranges;  ///< in the unit of the axis; an open end is infinite
  std::string said;  ///< "Dotted lines mark the claimed range: × 0.600 to 0.700."; empty without claims
};

/// Claims on the metric of the plot's numeric axis, or of a panel, of the kind that the axis shows: levels on an axis
/// in the metric's unit, ratios on a logarithmic axis of ratios. Precondition: the plot has its titles in words.
ClaimedRanges claimed_ranges(const QuestionResult& result, const OwnedPlot& plot);

}  // namespace assay
