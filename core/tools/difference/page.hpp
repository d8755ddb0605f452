// A comparison as a page for the terminal, summary.md and report.html.
#pragma once

#include <string>

#include "difference/comparison.hpp"
#include "look/page.hpp"

namespace assay::compare {

/// The answer and its tables; `whole` without cutting them to what a terminal shows.
look::Page page_of(const difference::Comparison& comparison, bool whole);

/// The same for a comment: the answer, the ten largest differences, the rest folded. `named`: the sides are named
/// first, as one of several comparisons needs.
std::string summary_md(const difference::Comparison& comparison, bool named, const std::string& gate);

}  // namespace assay::compare
