// Validates every value of results.sqlite: a damaged or foreign file gives a sentence.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>

#include "files/utf8.hpp"
#include "sqlite/database.hpp"

namespace assay {

/// What is wrong with the results, as the middle of a sentence.
struct DamagedResults : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One row of a query, with columns by index. Throws DamagedResults if a value violates the schema.
class StoredRow {
 public:
  explicit StoredRow(sqlite3_stmt* row) : row_(row) {}

  [[nodiscard]] bool absent(int column) const { return sqlite3_column_type(row_, column) == SQLITE_NULL; }

  /// Valid UTF-8.
  [[nodiscard]] std::string text(int column) const {
    if (sqlite3_column_type(row_, column) != SQLITE_TEXT) throw odd(column, "text");
    const unsigned char* bytes = sqlite3_column_text(row_, column);
    const std::string value(bytes, bytes + sqlite3_column_bytes(row_, column));
    if (!is_utf8(value)) throw odd(column, "text");
    return value;
  }

  /// At least `least`.
  [[nodiscard]] std::int64_t integer(int column, std::int64_t least = 0) const {
    const bool whole = sqlite3_column_type(row_, column) == SQLITE_INTEGER;
    const std::int64_t value = sqlite3_column_int64(row_, column);
    if (!whole || value < least) throw odd(column, "a number of at least " + std::to_string(least));
    return value;
  }

  [[nodiscard]] bool flag(int column) const {
    if (integer(column) > 1) throw odd(column, "0 or 1");
    return integer(column) == 1;
  }

  [[nodiscard]] double number(int column) const {
    const int type = sqlite3_column_type(row_, column);
    const double value = sqlite3_column_double(row_, column);
    if ((type != SQLITE_FLOAT && type != SQLITE_INTEGER) || !std::isfinite(value)) throw odd(column, "a finite number");
    return value;
  }
  /// NaN for NULL.
  [[nodiscard]] double number_or_nan(int column) const {
    return absent(column) ? std::numeric_limits<double>::quiet_NaN() : number(column);
  }

  /// The enumerator with the stored name.
  template <class Enum, class Name>
  [[nodiscard]] Enum named(int column, Enum last, Name&& name) const {
    const std::string value = text(column);
    for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(last); ++i) {
      if (name(static_cast<Enum>(i)) == value) return static_cast<Enum>(i);
    }
    throw odd(column, "a word known to this version of assay");
  }

 private:
  [[nodiscard]] DamagedResults odd(int column, const std::string& expected) const {
    const char* name = sqlite3_column_name(row_, column);
    return DamagedResults(
        fmt::format("a '{}' of it is not {}", std::string(name == nullptr ? "value" : name), expected));
  }

  sqlite3_stmt* row_;
};

/// Calls `take` for each row of a query; its parameter ?1, if any, is the question.
template <class OnRow>
void each_row(sqlite3* db, const std::string& sql, const std::string& question, OnRow&& on_row) {
  sqlite::Statement query(db, sql);
  if (query.ok() && sqlite3_bind_parameter_count(query.handle()) > 0) query.bind(1, question);
  while (query.step()) on_row(StoredRow(query.handle()));
  if (query.failed()) throw std::runtime_error(sqlite3_errmsg(db));
}

/// Opens a results database, which is only ever replaced as a whole. Throws.
inline sqlite::Database open_results(const std::filesystem::path& file) {
  Result<sqlite::Database> db = sqlite::open_immutable(file);
  if (!db) throw std::runtime_error(db.error().sentence);
  sqlite3_db_config(db->get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  return std::move(*db);
}

/// Sorts by `key`; throws on duplicates.
template <class Items, class Key>
void sort_distinct(Items& items, const char* what, Key&& key) {
  std::sort(items.begin(), items.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto twice =
      std::adjacent_find(items.begin(), items.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); });
  if (twice != items.end()) throw DamagedResults(std::string("it holds ") + what + " twice");
}

}  // namespace assay
