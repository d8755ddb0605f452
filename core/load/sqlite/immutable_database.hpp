// SQLite databases that are only looked at.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::load {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using ImmutableDatabase = std::unique_ptr<sqlite3, CloseDatabase>;

/// An immutable, read-only connection: SQLite takes no lock, looks at no journal and creates no file. Null when it
/// cannot be opened.
ImmutableDatabase open_immutable(const std::filesystem::path& file);

inline constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};
inline constexpr std::size_t kSqliteHeader = 100;  ///< bytes that every database begins with

struct TableList {
  bool complete = false;  ///< read to its end
  std::vector<std::string> names;
};
TableList list_tables(const std::filesystem::path& file);

}  // namespace assay::load
