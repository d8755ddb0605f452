// The layout of a table's rows and records, as the sqlite3 library interprets the schema.
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
  bool is_row_id = false;  ///< INTEGER PRIMARY KEY: the record holds NULL and the row id is the value
  bool is_real = false;    ///< REAL affinity: SQLite converts stored integers to reals on reading
  bool is_text = false;    ///< TEXT affinity: SQLite converts numbers to texts on writing
  bool never_null =
      false;  ///< declared NOT NULL without a default; SQLite enforces this on writing and ignores it on reading
  bool in_record = true;  ///< false: the row id under a name that the table does not declare
};

struct TableLayout {
  std::uint32_t root_page = 0;
  std::vector<ColumnLayout> columns;  ///< in record order; columns that are not in the record come last

  /// The index of the column, ignoring ASCII case; columns.size() if there is none.
  [[nodiscard]] std::size_t find(std::string_view column) const;
  /// The largest number of values in a record.
  [[nodiscard]] std::size_t fields() const;
  /// The index of the column that is empty in records because it is the row id; columns.size() if there is none.
  [[nodiscard]] std::size_t row_id() const;
};

/// Refused: no such table, a view or virtual table, WITHOUT ROWID, generated columns. "sqlite_schema" is a table too.
Outcome<TableLayout> describe_table(sqlite3* db, const std::string& table);

}  // namespace assay::load::btree
