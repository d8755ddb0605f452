// SQLite databases that are only looked at.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>

namespace assay {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using ImmutableDatabase = std::unique_ptr<sqlite3, CloseDatabase>;

/// An immutable, read-only connection: SQLite takes no lock, looks at no journal and creates no file. Null when it
/// cannot be opened.
ImmutableDatabase open_immutable(const std::filesystem::path& file);

}  // namespace assay
