// Sorts rows by columns the way SQLite compares values, without its sorter: there are few distinct names, words and
// numbers, and sorting those and then the rows takes a tenth of the time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/model.hpp"

namespace assay::query {

/// Whether rows can be sorted by the column: it contains names, words or integers, or is the report of all rows.
bool has_order(const SqlColumn& column);

/// All rows of the table, by the first column, then the next, and so on, finally by row number. NULL comes first; texts
/// compare bytewise.
std::vector<std::uint32_t> rows_by(std::span<const SqlColumn* const> columns, const CellSource& place);

/// Rows with a number in the column, by that number, then by row.
std::vector<std::uint32_t> rows_with_number(const SqlColumn& column, const CellSource& place);

}  // namespace assay::query
