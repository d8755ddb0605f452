// SQLite's list of tables, read without SQLite: it makes sense of every CREATE TABLE of a file before it answers
// anything, which takes longer than reading a small export.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/btree/page_file.hpp"

namespace assay::load::btree {

/// One row of sqlite_schema as stored in the file; NULL becomes an empty string.
struct ListedObject {
  std::string type, name, table, sql;
  std::int64_t root = 0;
  bool has_root = false;  ///< `root` is an integer
};

/// All rows in their order, long ones too. Nothing where a page or a row is not as SQLite writes it, or the file
/// changed meanwhile. That pages hold no more than their rows, TableScan checks.
std::optional<std::vector<ListedObject>> read_table_list(const PageFile& file);

}  // namespace assay::load::btree
