// The report model as SQL tables: their columns, and how to read a cell.
//
// A new table is a line in model.cpp: its columns follow from the list of report.hpp. Column names are those of the
// members, except SQL keywords, and row numbers, which are called `id`.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/report.hpp"

namespace assay::query {

/// Use of a column besides being read.
enum class Role : std::uint8_t {
  kPlain,
  kReport,     ///< name of the report
  kRowNumber,  ///< `id`: the target of references in other tables
  kReference,  ///< row number in another table
  kKey,        ///< not a reference, but looked up like one: correlation ids
  kStart,      ///< start of an event; tables with one are sorted by it
  kEnd,
};

/// Source of a cell.
struct CellSource {
  const Report* report = nullptr;
  const void* table = nullptr;  ///< of the report, from SqlTable::in
  std::int64_t base = 0;        ///< added to row numbers, so that those of several reports differ
};

/// NULL as the result of `integer`.
inline constexpr std::int64_t kNull = std::numeric_limits<std::int64_t>::min();

/// Words of an enumeration, by value.
struct EnumNames {
  std::uint8_t (*code)(const void* table, std::size_t row, std::size_t offset) = nullptr;  ///< null: not an enumeration
  std::string_view (*word)(std::uint8_t code) = nullptr;
};

struct SqlColumn {
  std::string name;
  std::string_view type;  ///< "INTEGER", "REAL" or "TEXT"
  Role role = Role::kPlain;
  ColumnId id{};                                                     ///< what to load so that the column is present
  std::size_t offset = 0;                                            ///< of the Column in its table
  bool (*present)(const void* table, std::size_t offset) = nullptr;  ///< null: always
  void (*set_result)(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t offset) = nullptr;
  std::int64_t (*integer)(const CellSource& from, std::size_t row, std::size_t offset) = nullptr;  ///< null: not an
                                                                                                   ///< integer
  const Column<StringId>* (*strings)(const void* table, std::size_t offset) = nullptr;             ///< null: not a text
  EnumNames words = {};
};

struct SqlTable {
  std::string name;
  std::string words;  ///< for people: "kernel table"
  ColumnId id{};
  std::function<const void*(const Report& report)> in = {};  ///< null: not captured
  std::vector<SqlColumn> columns;
  bool declared = false;  ///< by a format, so that its names may be SQL keywords
  /// Rows computed from a report when a statement first reads them; null: `in` has the rows.
  std::function<std::shared_ptr<const void>(const Report& report)> computed = {};
  std::vector<ColumnId> from = {};  ///< what they are computed from

  /// Every table struct of the report model begins with its number of rows.
  [[nodiscard]] static std::size_t rows(const void* table) {
    return static_cast<std::size_t>(*static_cast<const std::uint64_t*>(table));
  }
};

/// All tables, by name: those of the report model and those declared by formats. Lives as long as the program.
std::span<const SqlTable> sql_tables();
/// Null if there is no table of that name.
const SqlTable* find_table(std::string_view name);

/// Offset of the row numbers of a report by its position; 0 for the first, whose ids are its rows.
constexpr std::int64_t base_of(std::size_t report) { return static_cast<std::int64_t>(report) << 32; }
constexpr std::size_t report_of(std::int64_t id) { return static_cast<std::size_t>(id >> 32); }
constexpr std::size_t row_of(std::int64_t id) { return static_cast<std::size_t>(id & 0xFFFFFFFF); }

}  // namespace assay::query
