// A comparison as a page for the terminal, summary.md and report.html.
#pragma once

#include <string>
#include <vector>

#include "difference/comparison.hpp"
#include "look/page.hpp"

namespace assay::compare {

/// The answer and its tables; `whole`: not shortened for a terminal.
look::Page page_of(const difference::Comparison& comparison, bool whole);

/// Pairs of cells, one row each: how many got faster and by how much. `unpaired`: profiles without a partner.
look::Page overview_of(const std::vector<difference::Comparison>& comparisons,
                       const std::vector<std::string>& unpaired);

/// For a comment: the answer, the ten largest differences, the rest folded. `named`: names the sides first, for one of
/// several comparisons.
std::string summary_md(const difference::Comparison& comparison, bool named, const std::string& gate);

}  // namespace assay::compare
