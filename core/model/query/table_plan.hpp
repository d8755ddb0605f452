// Plans the scan of a table of the report model for a statement: which conditions find rows, which filter them, and in
// what order rows come. SQLite carries the plan from xBestIndex to xFilter as a number and a text.
#pragma once

#include <sqlite3.h>

#include <vector>

#include "query/row_filter.hpp"
#include "query/table_module.hpp"

namespace assay::query::table_module {

/// How a scan finds its rows; bits of idxNum. The bits above them have the number of the lookup column. idxStr has the
/// filters and the order.
enum Plan : int {
  kById = 1,
  kFromId = 2,
  kToId = 4,
  kFromStart = 8,
  kToStart = 16,
  kByValue = 32,
  kByReport = 64,
  kColumnShift = 7,
};

struct Table : sqlite3_vtab {
  const SqlTable* model = nullptr;
  Sources* sources = nullptr;
  std::vector<const SqlColumn*> columns;
  double rows = 0;  ///< of all reports
};

/// Parsed idxStr: "5=8*9=3,7," means filters on columns 5, 8 (a list of values) and 9, and the order by 3 and 7.
struct ScanPlan {
  std::vector<RowFilter> filters;
  std::vector<const SqlColumn*> order;  ///< empty: table order
};

/// The values of filters come from `arguments`. `text` may be null.
ScanPlan read_listed(const char* text, const Table& table, sqlite3_value** arguments);

/// xBestIndex. Arguments of a plan are ordered by its bits, then by its filters.
int find_plan(const Table& table, sqlite3_index_info* info);

}  // namespace assay::query::table_module
