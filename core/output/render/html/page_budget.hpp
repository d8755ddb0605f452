// Limits how much of a large run the page includes, so that it stays one usable file below 5 MB; it states what is only
// in other outputs. A run of a few hundred reports is shown completely.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "render/fact_rows.hpp"

namespace assay {

struct PageBudget {
  std::size_t points = 0;  ///< per layer of points in a plot
  std::size_t rows = 0;    ///< of a table
};

/// Limits per plot and table, by their number and total size.
PageBudget budget_of(const std::vector<QuestionRun>& questions);

/// The plot with at most this many points per layer, evenly sampled, and a caption that says so; empty if it has no
/// more.
std::optional<OwnedPlot> thinned(const OwnedPlot& plot, std::size_t most);

/// All facts if they are few; else those behind findings, claims and plots.
FactRows facts_for_page(const FactRows& facts, const std::vector<QuestionRun>& questions);

}  // namespace assay
