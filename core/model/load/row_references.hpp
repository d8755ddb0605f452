// Cells that hold the number of a row of another table: whoever drops or moves rows changes these too.
#pragma once

#include <span>
#include <vector>

#include "load/store.hpp"

namespace assay::load {

/// Sets every cell that refers to a row of `table` (a member of the store) to the new number of that row: `kept[i]`
/// becomes i, and a row that is not kept kNone. `rows`: before.
void renumber_references(Profile::Store& store, const void* table, std::size_t rows,
                         std::span<const std::uint32_t> kept);

/// Keeps the rows `kept` of a table of the store, in that order. The only way to drop or move rows once other tables
/// may refer to them.
template <class Rows>
void keep_rows(Profile::Store& store, std::optional<Rows>& table, const std::vector<std::uint32_t>& kept) {
  renumber_references(store, &table, table->rows(), kept);
  table->each([&](auto& column) { column.reorder(kept); });
}

/// Sets cells of declared tables that refer to a row that a table does not have to kNone, with an issue: analyzers
/// index with them.
void bound_references(Profile::Store& store);

}  // namespace assay::load
