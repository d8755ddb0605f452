// Rows of a query on standard output: for people, spreadsheets and programs.
#pragma once

#include <iosfwd>
#include <optional>

#include "query/session.hpp"
#include "render/rows.hpp"

namespace assay::query {

/// Prints all rows that the statement gives, as they come. Numbers are written so that reading them gives the same
/// number. Error: the statement failed on its way; what came before is printed.
/// With `most` no more rows than that, and `more` says whether there were; 0: all.
std::optional<StatementError> print_rows(Query& query, RowFormat format, std::ostream& out, std::size_t most = 0,
                                         bool* more = nullptr);

}  // namespace assay::query
