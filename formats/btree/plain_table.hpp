// Parses CREATE TABLE statements in the form profilers write, without SQLite.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/btree/table_layout.hpp"

namespace assay::load::btree {

/// A column as in PRAGMA table_info.
struct DeclaredColumn {
  std::string name, type;
  bool not_null = false, primary_key = false;
  friend bool operator==(const DeclaredColumn&, const DeclaredColumn&) = default;
};

/// The columns of `table`, if it was made by CREATE TABLE name (column TYPE [NOT NULL] [PRIMARY KEY], ...), possibly
/// with comments. Empty for any other statement, even a valid one: only SQLite interprets those.
std::optional<std::vector<DeclaredColumn>> plain_columns(std::string_view sql, std::string_view table);

/// The layout of such a table, equal to describe_table's. Empty if its row ids have no name or its key has an index of
/// its own.
std::optional<TableLayout> plain_layout(const std::vector<DeclaredColumn>& columns, std::uint32_t root);

}  // namespace assay::load::btree
