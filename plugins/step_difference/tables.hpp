// Comparisons as tables, pages and a plot.
#pragma once

#include <string>
#include <vector>

#include "assay/output.hpp"
#include "comparison.hpp"

namespace assay::difference {

/// A page of each comparison, and of several one of all before them; the tables that the pages show, `pairs` and
/// `items` with everything for programs, and a waterfall of each.
void emit_tables(const std::vector<Comparison>& comparisons, const std::vector<std::string>& unpaired, StudySink& sink);

}  // namespace assay::difference
