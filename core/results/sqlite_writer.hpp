// The little of SQLite that writing results needs. Everything throws std::runtime_error with SQLite's own words.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay {

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

Database open_database(const std::filesystem::path& file, int flags);
void execute(sqlite3* db, const char* sql);
Statement prepare(sqlite3* db, const std::string& sql);

/// "INSERT INTO table VALUES (?, ...)", run once a row with its values in order; columns without a value are NULL.
class Insert {
 public:
  Insert(sqlite3* db, std::string_view table, int columns);

  template <class... Values>
  void row(const Values&... values) {
    int position = 0;
    (bind(++position, values), ...);
    while (position < columns_) bind(++position, nullptr);
    step();
  }

 private:
  void step();
  void bind(int position, std::string_view text);  ///< as valid UTF-8
  void bind(int position, const std::string& text) { bind(position, std::string_view(text)); }
  void bind(int position, const char* text) { bind(position, std::string_view(text)); }
  void bind(int position, std::int64_t value) { sqlite3_bind_int64(statement_.get(), position, value); }
  void bind(int position, std::size_t value) { bind(position, static_cast<std::int64_t>(value)); }
  void bind(int position, bool value) { bind(position, std::int64_t{value ? 1 : 0}); }
  void bind(int position, double value) { sqlite3_bind_double(statement_.get(), position, value); }  ///< NaN: NULL
  void bind(int position, std::nullptr_t) { sqlite3_bind_null(statement_.get(), position); }

  sqlite3* db_;
  int columns_;
  Statement statement_;
};

}  // namespace assay
