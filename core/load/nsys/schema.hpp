// Which tables and columns a file has.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "load/btree/shared_pages.hpp"
#include "load/sqlite/sqlite_file.hpp"
#include "result.hpp"

namespace assay::load {

struct TableInfo {
  std::string name;
  std::vector<std::string> columns;

  [[nodiscard]] bool has(std::string_view column) const;
  /// The column whose name differs from `column` in one byte; empty when the table has `column`, or none like it.
  [[nodiscard]] std::string_view misspelt(std::string_view column) const;
};

class Schema {
 public:
  /// The list of tables. Views and virtual tables are left out: they are never nsys', and evaluating them would run
  /// whatever the file says. An error where the list cannot be read to its end, and where a row of it that is about a
  /// table that is read is damaged: a table that is there and cannot be read must not pass for one that was not
  /// captured. Damage to other rows, and to the text that describes columns, becomes an issue. `pages`, where not null,
  /// tells which pages the tables claim.
  static Result<Schema> read(const Connection& db, const btree::PageFile* pages, std::vector<Issue>& issues);

  [[nodiscard]] const TableInfo* find(std::string_view table) const;
  /// Names of all tables, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool empty() const { return tables_.empty(); }
  /// Whether the tables are those of an nsys export.
  [[nodiscard]] bool is_nsys() const;

 private:
  std::map<std::string, TableInfo, std::less<>> tables_;
};

}  // namespace assay::load
