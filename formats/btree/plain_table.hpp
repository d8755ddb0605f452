// What CREATE TABLE declares, read without SQLite where it is written as profilers write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/btree/table_layout.hpp"

namespace assay::load::btree {

/// A column as PRAGMA table_info tells it.
struct DeclaredColumn {
  std::string name, type;
  bool not_null = false, primary_key = false;
  friend bool operator==(const DeclaredColumn&, const DeclaredColumn&) = default;
};

/// The columns of `table`, made by CREATE TABLE name (column TYPE [NOT NULL] [PRIMARY KEY], ...) with comments. Nothing
/// where the text is anything else, however sound, for SQLite knows what that means.
std::optional<std::vector<DeclaredColumn>> plain_columns(std::string_view sql, std::string_view table);

/// Where the rows of such a table stand, as describe_table tells it. Nothing where its row ids cannot be asked for, or
/// its key is in an index of its own.
std::optional<TableLayout> plain_layout(const std::vector<DeclaredColumn>& columns, std::uint32_t root);

}  // namespace assay::load::btree
