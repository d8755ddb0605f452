// Evaluates "column = value" and "column IN (...)" on the column itself: a rejected row never reaches SQLite, where it
// would cost tens of times as much.
#pragma once

#include <sqlite3.h>

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "query/model.hpp"

namespace assay::query {

class RowFilter {
 public:
  enum class Does : std::uint8_t { kNothing, kPart, kAll };
  /// What a filter does for a constraint that compares with a value known when the scan begins. All: enumeration words,
  /// integers with a literal integer, names with a literal text. Part, and SQLite checks again: other values for names,
  /// since they may be numbers, which SQLite compares as numbers or as texts depending on their origin.
  static Does can_do(const SqlColumn& column, sqlite3_index_info* info, int constraint);

  explicit RowFilter(const SqlColumn& column) : column_(&column) {}

  /// Adds a permitted value.
  void allow(sqlite3_value* value);
  /// Translates the permitted values for this report. Call before `passes`, once per report.
  void enter(const CellSource& place);
  [[nodiscard]] bool passes(const CellSource& place, std::size_t row) const {
    switch (holds_) {
      case Holds::kNothing:
        return false;
      case Holds::kAnything:
        return true;
      case Holds::kWords:
        return codes_[column_->words.code(place.table, row, column_->offset)];
      case Holds::kNames:
        return allowed_ids_[(*ids_)[row]] != 0;
      case Holds::kNumbers:
        break;
    }
    return column_->integer(place, row, column_->offset) == number_;
  }

 private:
  enum class Holds : std::uint8_t { kNothing, kAnything, kWords, kNames, kNumbers };

  const SqlColumn* column_;
  std::vector<std::string> texts_;
  bool has_number_ = false;      ///< one of the values for a name is a number
  std::int64_t number_ = kNull;  ///< matches no row unless a value is added
  Holds holds_ = Holds::kNothing;
  std::bitset<256> codes_;
  const Column<StringId>* ids_ = nullptr;
  std::vector<char> allowed_ids_;  ///< by StringId
};

}  // namespace assay::query
