// Reads rows of a table emitted by an analyzer by column name. Any analyzer of --plugin-path may have emitted it, so
// its columns are checked.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyze/facts.hpp"
#include "result.hpp"

namespace assay {

struct TableColumn {
  std::string_view name;
  CellType type;
};

/// Columns of a table in the requested order, each with a cell per row. Error (exit 3): a column is missing, has
/// another type or too few cells.
Result<std::vector<const OwnedTable::Column*>> columns_of(const OwnedTable& table, std::span<const TableColumn> wanted);

/// A member of a row and the column to read it from.
template <class Row>
struct RowMember {
  std::string_view column;
  std::variant<std::string Row::*, std::int64_t Row::*, double Row::*> member;  ///< in the order of CellType
};

/// All rows. Error as of columns_of.
template <class Row>
Result<std::vector<Row>> read_rows(const OwnedTable& table, std::initializer_list<RowMember<Row>> members) {
  std::vector<TableColumn> wanted;
  for (const RowMember<Row>& member : members)
    wanted.push_back({member.column, static_cast<CellType>(member.member.index())});
  const auto columns = columns_of(table, wanted);
  if (!columns) return columns.error();
  std::vector<Row> rows(table.rows());
  auto column = columns->begin();
  for (const RowMember<Row>& member : members) {
    const OwnedTable::Column& from = **column++;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (const auto* text = std::get_if<0>(&member.member)) rows[row].** text = from.texts[row];
      if (const auto* integer = std::get_if<1>(&member.member)) rows[row].** integer = from.integers[row];
      if (const auto* number = std::get_if<2>(&member.member)) rows[row].** number = from.numbers[row];
    }
  }
  return rows;
}

}  // namespace assay
