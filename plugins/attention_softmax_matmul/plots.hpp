// The plot of attention_softmax_matmul.
#pragma once

#include "assay/plot.hpp"
#include "words.hpp"

namespace assay::attention {

/// Shares of the parts in GPU time beside their shares in operations, report by report; nothing when no report has
/// both.
std::optional<Plot> share_plot(const StudyView& view, const std::vector<RunAttention>& runs);

}  // namespace assay::attention
