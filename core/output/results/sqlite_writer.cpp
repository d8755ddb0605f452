#include "results/sqlite_writer.hpp"

#include <stdexcept>

#include "files/utf8.hpp"

namespace assay {
namespace {

/// "(?, ?)" for two columns.
std::string placeholders(std::size_t columns) {
  std::string out = "(";
  for (std::size_t i = 0; i < columns; ++i) out += i == 0 ? "?" : ", ?";
  return out + ")";
}

std::string insert_into(std::string_view table, std::size_t columns, std::size_t rows = 1) {
  std::string sql = "INSERT INTO " + std::string(table) + " VALUES ";
  for (std::size_t i = 0; i < rows; ++i) sql += (i == 0 ? "" : ", ") + placeholders(columns);
  return sql;
}

void bind_text(sqlite::Statement& statement, int position, std::string_view text) {
  if (is_utf8(text))
    statement.bind(position, text);  // bound again, or to NULL, before the next step
  else
    statement.bind_copy(position, to_utf8(text));
}

void step_through(sqlite3* db, sqlite::Statement& statement) {
  statement.step();
  const bool failed = statement.failed();
  statement.reset();
  if (failed) throw std::runtime_error(sqlite3_errmsg(db));
}

sqlite::Statement prepared(sqlite3* db, const std::string& sql) {
  sqlite::Statement statement(db, sql);
  if (!statement.ok()) throw std::runtime_error(sqlite3_errmsg(db));
  return statement;
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
    : db_(db), columns_(columns), statement_(prepared(db, insert_into(table, static_cast<std::size_t>(columns)))) {}

void Insert::step() { step_through(db_, statement_); }

void Insert::bind(int position, std::string_view text) { bind_text(statement_, position, text); }

InsertMany::InsertMany(sqlite3* db, std::string_view table, int columns)
    : db_(db),
      table_(table),
      columns_(static_cast<std::size_t>(columns)),
      statement_(prepared(db, insert_into(table, columns_, kRows))) {}

void InsertMany::write(sqlite::Statement& statement, std::vector<Value>& values) {
  int position = 0;
  for (const Value& value : values) {
    ++position;
    if (const auto* text = std::get_if<std::string_view>(&value))
      bind_text(statement, position, *text);
    else if (const auto* kept = std::get_if<std::string>(&value))
      bind_text(statement, position, *kept);
    else if (const auto* integer = std::get_if<std::int64_t>(&value))
      statement.bind(position, *integer);
    else if (const auto* number = std::get_if<double>(&value))
      statement.bind(position, *number);
    else
      statement.bind(position, nullptr);
  }
  step_through(db_, statement);
  values.clear();
}

void InsertMany::finish() {
  if (values_.empty()) return;
  sqlite::Statement rest = prepared(db_, insert_into(table_, columns_, values_.size() / columns_));
  write(rest, values_);
}

}  // namespace assay
