// How much of a large run the page holds, so that it stays one usable file of less than 5 MB; it says what it leaves to
// the other outputs. A run of some hundred reports is shown whole.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "render/fact_rows.hpp"

namespace assay {

struct PageBudget {
  std::size_t points = 0;  ///< of a layer of points in a plot
  std::size_t rows = 0;    ///< of a table
};

/// What each plot and table may have, by how many there are and how much they hold together.
PageBudget budget_of(const std::vector<QuestionRun>& questions);

/// The plot with at most so many points in a layer, evenly chosen in their order, and a caption that says so; nothing
/// where it has no more.
std::optional<OwnedPlot> thinned(const OwnedPlot& plot, std::size_t most);

/// All of a few facts; of many those that findings, claims and plots rest on.
FactRows facts_for_page(const FactRows& facts, const std::vector<QuestionRun>& questions);

}  // namespace assay
