// The decoder beside the sqlite3 library, cell by cell.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/btree/table_scan.hpp"

namespace assay::btree_test {

struct Comparison {
  std::optional<load::btree::Refusal> refusal;
  std::string difference;  ///< the last one; empty: none
  std::uint64_t rows = 0;
  /// Difference in cells of another type than asked for. Only damage makes one: SQLite stores no NaN, and reads it as
  /// NULL.
  std::int64_t more_mistyped = 0;
  std::uint64_t cells = 0;     ///< compared
  bool sqlite_failed = false;  ///< the library could not read the table to its end
};

/// Reads the columns of `table` that are not in `left_out`, each as integers and as texts, both ways. Columns of reals
/// are left out always.
Comparison compare(const std::filesystem::path& file, const std::string& table, unsigned threads = 1,
                   const std::set<std::string>& left_out = {});

/// The names of all tables, views and virtual tables; empty where the schema cannot be read.
std::vector<std::string> tables_of(const std::filesystem::path& file);

/// The columns of a table that can be described.
std::vector<std::string> columns_of(const std::filesystem::path& file, const std::string& table);

}  // namespace assay::btree_test
