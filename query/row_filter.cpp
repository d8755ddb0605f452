#include "query/row_filter.hpp"

#include <algorithm>
#include <string_view>

#include "query/older_sqlite.hpp"

namespace assay::query {

RowFilter::Does RowFilter::can_do(const SqlColumn& column, sqlite3_index_info* info, int constraint) {
  if (!kListsComeWhole || info->aConstraint[constraint].op != SQLITE_INDEX_CONSTRAINT_EQ) return Does::kNothing;
  const bool has_texts = column.words.code != nullptr || column.strings != nullptr;
  if (has_texts && std::string_view(sqlite3_vtab_collation(info, constraint)) != "BINARY") return Does::kNothing;
  if (column.words.code != nullptr) return Does::kAll;
  sqlite3_value* const literal = literal_of(info, constraint);
  const int type = literal == nullptr ? SQLITE_NULL : sqlite3_value_type(literal);
  if (column.strings != nullptr) return type == SQLITE_TEXT ? Does::kAll : Does::kPart;
  if (column.integer == nullptr || type != SQLITE_INTEGER) return Does::kNothing;
  return sqlite3_value_int64(literal) != kNull ? Does::kAll : Does::kNothing;
}

void RowFilter::allow(sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_TEXT) {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    texts_.emplace_back(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
  } else if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
    has_number_ = true;
    number_ = sqlite3_value_int64(value);
  }
}

void RowFilter::enter(const CellSource& place) {
  const bool there = column_->present == nullptr || column_->present(place.table, column_->offset);
  holds_ = !there                           ? Holds::kNothing
           : column_->words.code != nullptr ? Holds::kWords
           : column_->strings == nullptr    ? Holds::kNumbers
           : has_number_                    ? Holds::kAnything
                                            : Holds::kNames;
  const auto allowed = [&](std::string_view text) { return std::ranges::find(texts_, text) != texts_.end(); };
  if (holds_ == Holds::kWords) {
    for (std::size_t code = 0; code < codes_.size(); ++code)
      codes_[code] = allowed(column_->words.word(static_cast<std::uint8_t>(code)));
  } else if (holds_ == Holds::kNames) {
    ids_ = column_->strings(place.table, column_->offset);
    allowed_ids_.assign(static_cast<std::size_t>(place.report->strings.size), 0);
    for (std::size_t id = 1; id < allowed_ids_.size(); ++id)  // 0 is NULL
      allowed_ids_[id] = allowed(place.report->string(static_cast<StringId>(id))) ? 1 : 0;
  }
}

}  // namespace assay::query
