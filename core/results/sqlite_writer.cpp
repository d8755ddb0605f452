#include "results/sqlite_writer.hpp"

#include <stdexcept>

#include "files/utf8.hpp"

namespace assay {
namespace {

std::string insert_into(std::string_view table, int columns) {
  std::string sql = "INSERT INTO " + std::string(table) + " VALUES (";
  for (int i = 0; i < columns; ++i) sql += i == 0 ? "?" : ", ?";
  return sql + ")";
}

}  // namespace

sqlite::Database open_for_writing(const std::filesystem::path& file) {
  Result<sqlite::Database> db = sqlite::open(file.native(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!db) throw std::runtime_error(db.error().sentence);
  return std::move(*db);
}

void execute(sqlite3* db, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db));
}

Insert::Insert(sqlite3* db, std::string_view table, int columns)
    : db_(db), columns_(columns), statement_(db, insert_into(table, columns)) {
  if (!statement_.ok()) throw std::runtime_error(sqlite3_errmsg(db));
}

void Insert::step() {
  statement_.step();
  const bool failed = statement_.failed();
  statement_.reset();
  if (failed) throw std::runtime_error(sqlite3_errmsg(db_));
}

void Insert::bind(int position, std::string_view text) {
  if (is_utf8(text))
    statement_.bind(position, text);  // bound anew, or to NULL, before the next step
  else
    statement_.bind_copy(position, to_utf8(text));
}

}  // namespace assay
