// What a statement over several reports cannot show, on standard error.
#pragma once

#include <string>
#include <vector>

#include "query/session.hpp"

namespace assay::query {

/// Which of several reports give no rows because they do not have a table.
void warn_missing_tables(const std::vector<std::string>& tables, const std::vector<const Report*>& reports);
/// Graphs traced as a whole: kernels lack those within.
void warn_hidden_kernels(const StatementReferences& names, const std::vector<const Report*>& reports);
/// Times of different reports that are related.
void warn_clocks(const StatementReferences& names, std::size_t reports);

}  // namespace assay::query
