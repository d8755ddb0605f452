// Rows in the order of columns, as SQLite compares values, without its sorter: of names, words and most numbers there
// are few, and to order these and then the rows takes a tenth of the time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/model.hpp"

namespace assay::query {

/// Whether rows can be ordered by it: it holds names, words of a list or integers, or the report of all rows.
bool has_order(const SqlColumn& column);

/// All rows of the place's table, by the first column, where equal by the next, at last by their numbers. NULL comes
/// first, texts are compared byte by byte.
std::vector<std::uint32_t> rows_by(std::span<const SqlColumn* const> columns, const CellSource& place);

/// Rows with a number in the column, by that number and their own.
std::vector<std::uint32_t> rows_with_number(const SqlColumn& column, const CellSource& place);

}  // namespace assay::query
