// The report model as tables of SQL: which there are, their columns, and how a cell is read.
//
// A table more is a line in model.cpp: its columns follow from the list of report.hpp. Column names are those of the
// members, but for words that SQL keeps for itself, and row numbers, which have the name `id`.
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

/// What a column is good for beside being read.
enum class Role : std::uint8_t {
  kPlain,
  kReport,     ///< name of the report
  kRowNumber,  ///< `id`: what references of other tables hold
  kReference,  ///< row number in another table
  kKey,        ///< no reference, but looked up like one: correlation ids
  kStart,      ///< start of an event; tables with one are sorted by it
  kEnd,
};

/// Where a cell comes from.
struct CellSource {
  const Report* report = nullptr;
  const void* table = nullptr;  ///< of the report, as SqlTable::in gives it
  std::int64_t base = 0;        ///< added to row numbers, so that those of several reports differ
};

/// A cell that says nothing as a number: `integer` of columns that have one.
inline constexpr std::int64_t kNull = std::numeric_limits<std::int64_t>::min();

/// Words of a list, as a column of the model holds them: by their places in it.
struct EnumNames {
  std::uint8_t (*code)(const void* table, std::size_t row, std::size_t offset) = nullptr;  ///< null: it holds none
  std::string_view (*word)(std::uint8_t code) = nullptr;
};

struct SqlColumn {
  std::string name;
  std::string_view type;  ///< "INTEGER", "REAL" or "TEXT"
  Role role = Role::kPlain;
  ColumnId id{};                                                     ///< what loading is asked for so that it is there
  std::size_t offset = 0;                                            ///< of the Column in its table
  bool (*present)(const void* table, std::size_t offset) = nullptr;  ///< null: always
  void (*set_result)(sqlite3_context* to, const CellSource& from, std::size_t row, std::size_t offset) = nullptr;
  std::int64_t (*integer)(const CellSource& from, std::size_t row, std::size_t offset) = nullptr;  ///< null: is none
  const Column<StringId>* (*strings)(const void* table, std::size_t offset) = nullptr;        ///< null: is none
  EnumNames words = {};
};

struct SqlTable {
  std::string name;
  std::string words;  ///< for people: "kernel table"
  ColumnId id{};
  std::function<const void*(const Report& report)> in = {};  ///< null: not captured
  std::vector<SqlColumn> columns;
  bool declared = false;  ///< by a format, so that its names may be words of SQL
  /// Rows that are computed of a report when a statement first reads them; null: `in` has the rows.
  std::function<std::shared_ptr<const void>(const Report& report)> computed = {};
  std::vector<ColumnId> from = {};  ///< what they are computed from

  /// Every table struct of the report model begins with its number of rows.
  [[nodiscard]] static std::size_t rows(const void* table) {
    return static_cast<std::size_t>(*static_cast<const std::uint64_t*>(table));
  }
};

/// All tables, by name: those of the report model and those that formats declare. Lives as long as the program.
std::span<const SqlTable> sql_tables();
/// Null: there is none of that name.
const SqlTable* find_table(std::string_view name);

/// Row numbers of the report at this place among several: those of the first are the rows themselves.
constexpr std::int64_t base_of(std::size_t report) { return static_cast<std::int64_t>(report) << 32; }
constexpr std::size_t report_of(std::int64_t id) { return static_cast<std::size_t>(id >> 32); }
constexpr std::size_t row_of(std::int64_t id) { return static_cast<std::size_t>(id & 0xFFFFFFFF); }

}  // namespace assay::query
