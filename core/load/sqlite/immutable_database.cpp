#include "load/sqlite/immutable_database.hpp"

#include <string>

namespace assay::load {

ImmutableDatabase open_immutable(const std::filesystem::path& file) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const std::filesystem::path absolute = std::filesystem::absolute(file);
  std::string uri = "file://";
  for (const char c : absolute.native()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '_';
    if (plain)
      uri += c;
    else
      uri.append("%").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
  }
  sqlite3* opened = nullptr;
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int outcome = sqlite3_open_v2((uri + "?immutable=1").c_str(), &opened, flags, nullptr);
  ImmutableDatabase db(opened);
  if (outcome != SQLITE_OK) return nullptr;
  // So that SQLite reads what is there of a shortened file instead of refusing all of it; nothing can be written here.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  constexpr int kLongest = 16 << 20;  // SQLite holds a value whole
  sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kLongest);
  return db;
}

TableList list_tables(const std::filesystem::path& file) {
  TableList tables;
  const auto db = open_immutable(file);
  if (db == nullptr) return tables;
  sqlite3_stmt* raw = nullptr;
  sqlite3_prepare_v2(db.get(), "SELECT name FROM sqlite_schema WHERE type = 'table'", -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
  int outcome = SQLITE_ERROR;
  while (raw != nullptr && (outcome = sqlite3_step(raw)) == SQLITE_ROW) {
    const auto* name = reinterpret_cast<const char*>(sqlite3_column_text(raw, 0));
    if (name != nullptr) tables.names.emplace_back(name);
  }
  tables.complete = outcome == SQLITE_DONE;
  return tables;
}

}  // namespace assay::load
