// SQLite's list of tables, read without SQLite. SQLite parses every CREATE TABLE of a file before its first query,
// which takes longer than reading a small export.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/btree/page_file.hpp"

namespace assay::load::btree {

/// One row of sqlite_schema as stored; NULL becomes an empty string.
struct ListedObject {
  std::string type, name, table, sql;
  std::int64_t root = 0;
  bool has_root = false;  ///< `root` is an integer
};

/// All rows in order, including long ones. Empty if a page or row is not as SQLite writes it, or if the file changed
/// meanwhile. TableScan checks that pages hold nothing but their rows.
std::optional<std::vector<ListedObject>> read_table_list(const PageFile& file);

}  // namespace assay::load::btree
