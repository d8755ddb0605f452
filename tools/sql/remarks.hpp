// Limitations of a statement over several reports, printed on standard error.
#pragma once

#include <string>
#include <vector>

#include "query/session.hpp"

namespace assay::query {

/// Reports without rows because they lack a table.
void tell_lacking(const std::vector<std::string>& tables, const std::vector<const Report*>& reports);
/// Graphs traced as a whole, whose kernels are missing.
void tell_hidden_kernels(const References& names, const std::vector<const Report*>& reports);
/// Comparisons of times between different reports.
void tell_clocks(const References& names, std::size_t reports);

}  // namespace assay::query
