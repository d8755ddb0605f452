// The tables of the report model as virtual tables of SQLite: over the columns where they are, without a copy.
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

/// Rows of one report by the values of columns, made when a statement first wants them so.
using RowOrder = std::vector<std::uint32_t>;

/// What the virtual tables of one connection are over.
struct Sources {
  std::vector<const Report*> reports;  ///< none: only statements are prepared, every column is there
  bool all_columns = false;            ///< also those that no report has
  std::set<std::string> only = {};     ///< tables that are made; empty: all
  std::map<std::pair<std::size_t, const SqlColumn*>, RowOrder> lookups = {};  ///< of rows with a number
  std::map<std::pair<std::size_t, std::vector<const SqlColumn*>>, RowOrder> orders = {};
  std::map<std::pair<std::size_t, const SqlTable*>, std::shared_ptr<const void>> computed = {};
};

/// The columns of a table that a statement over these sources can name: present in some report.
std::vector<const SqlColumn*> columns_of(const SqlTable& table, const Sources& sources);

/// Whether any of the reports captured it.
bool has_table(const SqlTable& table, const Sources& sources);

/// "CREATE TABLE kernels(...)" as SQLite is told it and `.schema` shows it.
std::string declaration(const SqlTable& table, const Sources& sources);

/// Registers the module; `sources` must outlive the connection. False: SQLite refused (its message tells).
bool add_tables(sqlite3* db, Sources& sources);

}  // namespace assay::query
