// A database copied without its constraints, so that any column may be damaged, and each way to damage one.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <vector>

#include "fingerprint.hpp"
#include "load/made_export.hpp"

namespace assay {

inline std::vector<std::string> cells_of(const std::filesystem::path& file, const std::string& sql) {
  std::vector<std::string> cells;
  sqlite3* db = nullptr;
  if (sqlite3_open(file.c_str(), &db) != SQLITE_OK) throw std::runtime_error("cannot open " + file.string());
  const auto add = [](void* to, int, char** row, char**) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(row[0] == nullptr ? "" : row[0]);
    return 0;
  };
  sqlite3_exec(db, sql.c_str(), add, &cells, nullptr);
  sqlite3_close(db);
  return cells;
}

struct DamagedColumn {
  std::string table, column;
};

/// All tables made anew with plain columns of the same names and types.
inline void loosen(const std::filesystem::path& file) {
  std::string sql = "PRAGMA foreign_keys = OFF; BEGIN;";
  for (const std::string& table : cells_of(file,
                                           "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE "
                                           "'sqlite_%'")) {
    std::string columns;
    for (const std::string& column :
         cells_of(file, "SELECT '\"' || name || '\" ' || type FROM pragma_table_info('" + table + "')"))
      columns += (columns.empty() ? "" : ", ") + column;
    sql += "CREATE TABLE loose(" + columns + "); INSERT INTO loose SELECT * FROM \"" + table + "\"; DROP TABLE \"" +
           table + "\"; ALTER TABLE loose RENAME TO \"" + table + "\";";
  }
  run_sql(file, sql + "COMMIT;");
}

/// What is wrong of a column: "gone", "NULL", and so on, with the statement that makes it so.
struct Damage {
  std::string name, sql;
};

inline std::vector<Damage> damages(const DamagedColumn& at, bool is_text) {
  const std::string table = "\"" + at.table + "\"", column = "\"" + at.column + "\"";
  const std::string set = "UPDATE " + table + " SET " + column + " = ";
  const std::string one = " WHERE rowid = (SELECT max(rowid) FROM " + table + ")";
  std::vector<Damage> all = {{"gone", "ALTER TABLE " + table + " DROP COLUMN " + column},
                             {"NULL", set + "NULL"},
                             {"empty", set + "''"},
                             {"another type", set + (is_text ? "x'00ff'" : "'words'")},
                             {"one NULL", set + "NULL" + one}};
  if (is_text) return all;
  for (const char* value : {"9223372036854775807", "-9223372036854775807", "-9223372036854775808"})
    all.push_back({std::string("one ") + value, set + value + one});
  return all;
}

/// Damages every one of `columns` in each way. `known`: "table.column way" that changes numbers as it must, unseen.
inline void expect_no_silence(const std::filesystem::path& whole, const std::vector<DamagedColumn>& columns,
                              const std::set<std::string>& known) {
  const Fingerprint before = fingerprint(whole);
  ASSERT_EQ(before.refusal, "");
  const std::filesystem::path copy = whole.parent_path() / ("damaged" + whole.extension().string());
  for (const DamagedColumn& at : columns) {
    const bool is_text =
        !cells_of(whole, "SELECT 1 FROM \"" + at.table + "\" WHERE typeof(\"" + at.column + "\") = 'text'").empty();
    for (const Damage& damage : damages(at, is_text)) {
      const std::string how = at.table.substr(0, at.table.find("_0000")) + "." + at.column + " " + damage.name;
      if (known.contains(how)) continue;
      std::filesystem::copy_file(whole, copy, std::filesystem::copy_options::overwrite_existing);
      run_sql(copy, "PRAGMA synchronous = OFF; " + damage.sql);
      expect_said(before, copy, how);
    }
  }
}

}  // namespace assay
