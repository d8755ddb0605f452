// Rows into results.sqlite. Everything throws std::runtime_error with SQLite's own words.
#pragma once

#include <string>
#include <string_view>

#include "sqlite/database.hpp"

namespace assay {

/// A new database, or the one that stands there.
sqlite::Database open_for_writing(const std::filesystem::path& file);
void execute(sqlite3* db, const char* sql);

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
  void bind(int position, std::int64_t value) { statement_.bind(position, value); }
  void bind(int position, std::size_t value) { bind(position, static_cast<std::int64_t>(value)); }
  void bind(int position, bool value) { bind(position, std::int64_t{value ? 1 : 0}); }
  void bind(int position, double value) { statement_.bind(position, value); }
  void bind(int position, std::nullptr_t) { statement_.bind(position, nullptr); }

  sqlite3* db_;
  int columns_;
  sqlite::Statement statement_;
};

}  // namespace assay
