// The tables and columns of a file.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/btree/shared_pages.hpp"
#include "formats/btree/table_layout.hpp"
#include "load/sqlite_file.hpp"
#include "result.hpp"

namespace assay::load {

/// Rules that identify the tables of one format and detect damaged ones.
struct SchemaRules {
  std::string_view writer;  ///< the program that writes such files: "nsys"
  /// The table that a name refers to, ignoring case; empty if it is not read.
  std::string (*read_table)(std::string_view name);
  bool (*is_own)(std::string_view name);              ///< whether only this format creates tables with that name
  bool (*is_own_in_any_case)(std::string_view name);  ///< the same, with names compared as SQLite does
  bool (*may_be_view)(std::string_view name);         ///< whether a name accepted by `is_own` may be a view of the
                                                      ///< format
  std::span<const std::string_view> types;            ///< column types in addition to SQLite's
  std::span<const std::string_view> never_null = {};  ///< columns that are filled in every row of all tables
};

struct TableInfo {
  std::string name;
  std::vector<std::string> columns;
  std::string_view writer = {};                   ///< SchemaRules::writer
  std::optional<btree::TableLayout> layout = {};  ///< if its text alone determines it

  [[nodiscard]] bool has(std::string_view column) const;
  /// The column whose name differs from `column` in one byte; empty if the table has `column` or no such column.
  [[nodiscard]] std::string_view misspelt(std::string_view column) const;
};

/// SQLite's table of all tables.
TableInfo list_of_tables();

class Schema {
 public:
  /// Reads the list of tables, without views and virtual tables: they are not needed, and evaluating them would run
  /// code from the file. Error: the list cannot be read completely, or a row about a table that is read is damaged, is
  /// a view or differs in case, because an unreadable table must not look like one that was not captured. Other damage
  /// becomes an issue. `pages`, if not null, is used to check which pages the tables claim.
  static Result<Schema> read(const Connection& db, const btree::PageFile* pages, const SchemaRules& rules,
                             std::vector<Issue>& issues);

  [[nodiscard]] const TableInfo* find(std::string_view table) const;
  /// Names of all tables, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool empty() const { return tables_.empty(); }
  /// Whether `is_one` is true for some table.
  [[nodiscard]] bool has_any(bool (*is_one)(std::string_view)) const;

 private:
  std::map<std::string, TableInfo, std::less<>> tables_;
};

}  // namespace assay::load
