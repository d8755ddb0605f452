// Limitations of a statement over several reports, printed on standard error.
#pragma once

#include <string>
#include <vector>

#include "query/session.hpp"

namespace assay::query {

/// Reports without rows because they lack a table.
void warn_missing_tables(const std::vector<std::string>& tables, const std::vector<const Report*>& reports);
/// Graphs traced as a whole, whose kernels are missing.
void warn_hidden_kernels(const StatementReferences& names, const std::vector<const Report*>& reports);
/// Comparisons of times between different reports.
void warn_clocks(const StatementReferences& names, std::size_t reports);

}  // namespace assay::query
