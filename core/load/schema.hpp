// Which tables and columns a file has.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "load/sqlite_file.hpp"

namespace assay::load {

struct TableInfo {
  std::string name;
  std::vector<std::string> columns;

  [[nodiscard]] bool has(std::string_view column) const;
};

class Schema {
 public:
  /// What can be read of the list of tables; damage to it becomes an issue. Views and virtual tables are left out: they
  /// are never nsys', and evaluating them would run whatever the file says.
  static Schema read(const Connection& db, std::vector<Issue>& issues);

  [[nodiscard]] const TableInfo* find(std::string_view table) const;
  /// Names of all tables, sorted.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool empty() const { return tables_.empty(); }
  /// Whether the tables are those of an nsys export.
  [[nodiscard]] bool is_nsys() const;

 private:
  std::map<std::string, TableInfo, std::less<>> tables_;
};

/// `name` as an SQL identifier.
std::string sql_name(std::string_view name);

}  // namespace assay::load
