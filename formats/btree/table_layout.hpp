// Where a table's rows stand and what their records hold, as the sqlite3 library understands the schema.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/btree/refusal.hpp"

struct sqlite3;

namespace assay::load::btree {

struct ColumnLayout {
  std::string name;
  bool is_row_id = false;  ///< INTEGER PRIMARY KEY: the record holds NULL, the row id is the value
  bool is_real = false;    ///< REAL affinity: SQLite turns stored integers into reals on reading
  bool is_text = false;    ///< TEXT affinity: SQLite turns numbers into texts on writing
  bool never_null =
      false;  ///< declared NOT NULL without a default, which SQLite enforces on writing and ignores on reading
  bool in_record = true;  ///< false: the row id under a name that the table does not declare
};

struct TableLayout {
  std::uint32_t root_page = 0;
  std::vector<ColumnLayout> columns;  ///< in the order of the record's fields; what is in no record stands behind them

  /// The number of the column, ASCII case ignored; columns.size() when there is none.
  [[nodiscard]] std::size_t find(std::string_view column) const;
  /// Most values that a record may hold.
  [[nodiscard]] std::size_t fields() const;
  /// The number of the column whose place in the record the row id leaves empty; columns.size() when there is none.
  [[nodiscard]] std::size_t row_id() const;
};

/// Refused: no such table, a view or virtual table, WITHOUT ROWID, generated columns. "sqlite_schema" is a table too.
Outcome<TableLayout> describe_table(sqlite3* db, const std::string& table);

}  // namespace assay::load::btree
