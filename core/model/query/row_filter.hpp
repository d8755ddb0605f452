// Conditions "column = value" and "column IN (...)", looked at where the column is: a row that they leave out never
// reaches SQLite, whose steps for one cost tens of times as much.
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
  /// What a filter does for a constraint, an equality with a value that is known when the scan begins. All: words,
  /// integers with a literal one, names with a literal text. Part, and SQLite looks again: other values for names, as
  /// they may be numbers, which are compared as texts or texts as numbers, by where they come from.
  static Does can_do(const SqlColumn& column, sqlite3_index_info* info, int constraint);

  explicit RowFilter(const SqlColumn& column) : column_(&column) {}

  /// One more value that rows may have.
  void allow(sqlite3_value* value);
  /// The values allowed, as this report holds them. To be called before `passes`, once a report.
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
  bool has_number_ = false;      ///< among the values for a name
  std::int64_t number_ = kNull;  ///< in no row, unless one is allowed
  Holds holds_ = Holds::kNothing;
  std::bitset<256> codes_;
  const Column<StringId>* ids_ = nullptr;
  std::vector<char> allowed_ids_;  ///< by StringId
};

}  // namespace assay::query
