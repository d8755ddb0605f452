// Prints rows of a query on standard output: as text, for spreadsheets or for programs.
#pragma once

#include <iosfwd>
#include <optional>

#include "query/session.hpp"
#include "render/rows.hpp"

namespace assay::query {

/// Prints all rows of the statement as they arrive. Numbers are printed so that they read back exactly. Error: the
/// statement failed midway; earlier rows are printed. With `most` at most that many rows, and `more` is set to true if
/// there were others; 0: all.
std::optional<StatementError> print_rows(Query& query, RowFormat format, std::ostream& out, std::size_t most = 0,
                                         bool* more = nullptr);

}  // namespace assay::query
