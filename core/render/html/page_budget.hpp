// How much of a large run the page holds, so that it stays one usable file of less than 5 MB; it says what it leaves to
// the other outputs. A run of some hundred reports is shown whole.
#pragma once

#include <cstddef>
#include <vector>

#include "render/fact_rows.hpp"
#include "render/render.hpp"

namespace assay {

struct PageBudget {
  std::size_t points = 0;  ///< of a layer of points in a plot
  std::size_t rows = 0;    ///< of a table
};

/// What each plot and table may have, by how many there are and how much they hold together.
PageBudget budget_of(const std::vector<QuestionRun>& questions);

/// The plot with at most so many points in a layer, evenly chosen in their order, and a caption that says so.
OwnedPlot thinned(const OwnedPlot& plot, std::size_t most);

/// Facts of the study, and those of each report, or, where they are too many, of every n-th report.
struct PageFacts {
  std::vector<FactRow> rows;
  std::size_t every = 1;
};
PageFacts facts_for_page(const std::vector<FactRow>& facts);

}  // namespace assay
