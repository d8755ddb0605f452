// Which tables and columns a file has.
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

/// What tells the tables of one format from those of others, and sound ones from damaged ones.
struct SchemaRules {
  std::string_view writer;  ///< of such files: "nsys"
  /// The table that a name stands for, in letters of any case; empty where nothing is read of it.
  std::string (*read_table)(std::string_view name);
  bool (*is_own)(std::string_view name);              ///< only this format makes tables of that name
  bool (*is_own_in_any_case)(std::string_view name);  ///< the same as SQLite compares names
  bool (*may_be_view)(std::string_view name);         ///< a name of `is_own` that the format gives to views
  std::span<const std::string_view> types;            ///< of columns, beside those that SQLite knows
};

struct TableInfo {
  std::string name;
  std::vector<std::string> columns;
  std::string_view writer = {};                   ///< SchemaRules::writer
  std::optional<btree::TableLayout> layout = {};  ///< where its text alone tells it

  [[nodiscard]] bool has(std::string_view column) const;
  /// The column whose name differs from `column` in one byte; empty when the table has `column`, or none like it.
  [[nodiscard]] std::string_view misspelt(std::string_view column) const;
};

/// The table in which SQLite lists all others.
TableInfo list_of_tables();

class Schema {
 public:
  /// The list of tables. Views and virtual tables are left out: nothing is read of them, and evaluating them would run
  /// whatever the file says. An error where the list cannot be read to its end, and where a row of it that is about a
  /// table that is read is damaged, or is a view or another case of its name: a table that is there and cannot be read
  /// must not pass for one that was not captured. Damage to other rows, and to the text that describes columns, becomes
  /// an issue. `pages`, where not null, tells which pages the tables claim.
  static Result<Schema> read(const Connection& db, const btree::PageFile* pages, const SchemaRules& rules,
                             std::vector<Issue>& issues);

  [[nodiscard]] const TableInfo* find(std::string_view table) const;
  /// Names of all tables, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool empty() const { return tables_.empty(); }
  /// Whether some table is one of those.
  [[nodiscard]] bool has_any(bool (*is_one)(std::string_view)) const;

 private:
  std::map<std::string, TableInfo, std::less<>> tables_;
};

}  // namespace assay::load
