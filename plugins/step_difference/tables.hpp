// Comparisons as tables, pages and a plot.
#pragma once

#include <string>
#include <vector>

#include "assay/output.hpp"
#include "comparison.hpp"

namespace assay::difference {

/// A page per comparison, and before them an overview if there are several; the tables that the pages show, `pairs` and
/// `items` with all numbers for programs, and a waterfall per comparison.
void emit_tables(const std::vector<Comparison>& comparisons, const std::vector<std::string>& unpaired, StudySink& sink);

}  // namespace assay::difference
