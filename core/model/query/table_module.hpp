// Tables of the report model as SQLite virtual tables: directly over the columns, without a copy.
#pragma once

#include <sqlite3.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "query/model.hpp"

namespace assay::query {

/// Row numbers of one report in order of column values; built when a statement first needs them.
using RowOrder = std::vector<std::uint32_t>;

/// Data behind the virtual tables of one connection.
struct Sources {
  std::vector<const Report*> reports;  ///< empty: statements are only prepared, and every column is present
  bool all_columns = false;            ///< includes columns that no report has
  std::set<std::string> only = {};     ///< tables to create; empty: all
  std::map<std::pair<std::size_t, const SqlColumn*>, RowOrder> lookups = {};  ///< rows with a number
  std::map<std::pair<std::size_t, std::vector<const SqlColumn*>>, RowOrder> orders = {};
  std::map<std::pair<std::size_t, const SqlTable*>, std::shared_ptr<const void>> computed = {};
};

/// Columns of a table that a statement over these sources can name: present in some report.
std::vector<const SqlColumn*> columns_of(const SqlTable& table, const Sources& sources);

/// Whether any of the reports captured it.
bool has_table(const SqlTable& table, const Sources& sources);

/// "CREATE TABLE kernels(...)" as declared to SQLite and shown by `.schema`.
std::string declaration(const SqlTable& table, const Sources& sources);

/// Registers the module; `sources` must outlive the connection. False if SQLite refuses (see its message).
bool add_tables(sqlite3* db, Sources& sources);

}  // namespace assay::query
