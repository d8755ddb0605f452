#include "results/sqlite_writer.hpp"

#include "files/utf8.hpp"

namespace assay {

Database open_database(const std::filesystem::path& file, int flags) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &raw, flags, nullptr);
  Database db(raw);
  if (code != SQLITE_OK) throw std::runtime_error(raw != nullptr ? sqlite3_errmsg(raw) : "out of memory");
  return db;
}

void execute(sqlite3* db, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db));
}

Statement prepare(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db));
  return Statement(raw);
}

Insert::Insert(sqlite3* db, std::string_view table, int columns) : db_(db), columns_(columns) {
  std::string sql = "INSERT INTO " + std::string(table) + " VALUES (";
  for (int i = 0; i < columns; ++i) sql += i == 0 ? "?" : ", ?";
  statement_ = prepare(db, sql + ")");
}

void Insert::step() {
  const int code = sqlite3_step(statement_.get());
  sqlite3_reset(statement_.get());
  if (code != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(db_));
}

void Insert::bind(int position, std::string_view text) {
  if (is_utf8(text)) {
    sqlite3_bind_text(statement_.get(), position, text.empty() ? "" : text.data(), static_cast<int>(text.size()),
                      SQLITE_STATIC);  // bound anew, or to NULL, before the next step
  } else {
    const std::string clean = to_utf8(text);
    sqlite3_bind_text(statement_.get(), position, clean.data(), static_cast<int>(clean.size()), SQLITE_TRANSIENT);
  }
}

}  // namespace assay
