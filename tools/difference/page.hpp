// A comparison as a page for the terminal, summary.md and report.html.
#pragma once

#include <string>
#include <vector>

#include "difference/comparison.hpp"
#include "look/page.hpp"

namespace assay::compare {

/// The answer and its tables; `whole` without cutting them to what a terminal shows.
look::Page page_of(const difference::Comparison& comparison, bool whole);

/// Pairs of cells: how many got faster and by how much, a row each. `unpaired`: profiles without a partner.
look::Page overview_of(const std::vector<difference::Comparison>& comparisons,
                       const std::vector<std::string>& unpaired);

/// The same for a comment: the answer, the ten largest differences, the rest folded. `named`: the sides are named
/// first, as one of several comparisons needs.
std::string summary_md(const difference::Comparison& comparison, bool named, const std::string& gate);

}  // namespace assay::compare
