#include "query/declared_tables.hpp"

#include <fmt/core.h>

#include <optional>

namespace assay::query {
namespace {

/// Access to a declared table: the offset of a column is its index in the table.
struct DeclaredAccess {
  static const DeclaredColumn& column(const void* table, std::size_t place) {
    return static_cast<const DeclaredTable*>(table)->columns[place];
  }
  template <class T>
  static T cell(const void* table, std::size_t row, std::size_t place) {
    return static_cast<const T*>(column(table, place).cells)[row];
  }
  static bool present(const void* table, std::size_t place) {
    return place < static_cast<const DeclaredTable*>(table)->columns.size && column(table, place).cells != nullptr;
  }
  template <bool kIsReference>
  static std::int64_t integer(const CellSource& from, std::size_t row, std::size_t place) {
    const auto value = cell<std::int64_t>(from.table, row, place);
    if (value == kNoCell || (kIsReference && value == kNone)) return kNull;
    return kIsReference ? value + from.base : value;
  }
  template <bool kIsReference>
  static void set_result_integer(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t place) {
    const std::int64_t value = integer<kIsReference>(from, row, place);
    value == kNull ? sqlite3_result_null(to) : sqlite3_result_int64(to, value);
  }
  static void set_result_real(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t place) {
    sqlite3_result_double(to, cell<double>(from.table, row, place));
  }
  static void set_result_string(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t place) {
    const auto text = cell<StringId>(from.table, row, place);
    if (text == 0) return sqlite3_result_null(to);
    const std::string_view view = from.report->string(text);  // the report outlives every statement over it
    sqlite3_result_text64(to, view.empty() ? "" : view.data(), view.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  /// `places`: index of the begin column in the upper half, of the end column in the lower.
  static void set_result_duration(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t places) {
    sqlite3_result_int64(
        to, cell<std::int64_t>(from.table, row, places & 0xFFFF) - cell<std::int64_t>(from.table, row, places >> 16));
  }

  static SqlColumn sql_column(const ColumnSpec& spec, std::size_t place) {
    SqlColumn column{.name = std::string(spec.name.view()), .type = "INTEGER", .id = col::declared, .offset = place};
    column.present = &present;
    if (spec.kind == CellKind::kText) {
      column.type = "TEXT";
      column.set_result = &set_result_string;
    } else if (spec.kind == CellKind::kReal) {
      column.type = "REAL";
      column.set_result = &set_result_real;
    } else {
      const bool row = spec.role == CellRole::kRow;
      column.set_result = row ? &set_result_integer<true> : &set_result_integer<false>;
      column.integer = row ? &integer<true> : &integer<false>;
      column.role = row                                                             ? Role::kReference
                    : spec.role == CellRole::kKey                                   ? Role::kKey
                    : spec.role == CellRole::kEnd                                   ? Role::kEnd
                    : spec.role == CellRole::kTime || spec.role == CellRole::kBegin ? Role::kStart
                                                                                    : Role::kPlain;
    }
    return column;
  }

  static SqlTable table(const TableSpec& spec) {
    SqlTable made{.name = std::string(spec.name.view()),
                  .words = fmt::format("table of {}", spec.title.view()),
                  .id = col::declared,
                  .in = [name = spec.name](const Report& report) -> const void* { return report.table(name.view()); },
                  .columns = {},
                  .declared = true};
    std::optional<std::size_t> begin, end;
    for (std::size_t c = 0; c < spec.columns.size; ++c) {
      if (spec.columns[c].role == CellRole::kBegin) begin = c;
      if (spec.columns[c].role == CellRole::kEnd) end = c;
      made.columns.push_back(sql_column(spec.columns[c], c));
    }
    if (begin && end) {
      SqlColumn duration{.name = "duration", .type = "INTEGER", .id = col::declared, .offset = *begin << 16 | *end};
      duration.set_result = &set_result_duration;
      duration.present = [](const void* from, std::size_t places) {
        return present(from, places & 0xFFFF) && present(from, places >> 16);
      };
      made.columns.insert(made.columns.begin() + static_cast<std::ptrdiff_t>(*end) + 1, duration);
    }
    return made;
  }
};

}  // namespace

SqlTable declared_table(const TableSpec& spec) { return DeclaredAccess::table(spec); }

}  // namespace assay::query
