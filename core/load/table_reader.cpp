#include "load/table_reader.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "assay/report.hpp"

namespace assay::load {
namespace {

constexpr std::size_t kBatchRows = 1024;  // a batch of all columns fits the second-level cache

std::string select(const TableInfo& table, std::span<const ColumnRequest> columns) {
  std::string sql = "SELECT ";
  for (const ColumnRequest& request : columns) sql.append(sql_name(request.column)).append(", ");
  sql.resize(sql.size() - 2);
  return sql.append(" FROM ").append(sql_name(table.name));
}

/// One cell as Batch defines it. Connections are ours alone (no mutex), so that a column's value may be asked directly.
std::int64_t cell(sqlite3_stmt* row, int column, CellType type, StringPool& texts, std::uint64_t& mistyped) {
  sqlite3_value* value = sqlite3_column_value(row, column);
  const int stored = sqlite3_value_type(value);
  if (type == CellType::kInteger) {
    if (stored == SQLITE_INTEGER) return sqlite3_value_int64(value);
  } else if (stored == SQLITE_TEXT) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    if (text != nullptr) return texts.intern({text, static_cast<std::size_t>(sqlite3_value_bytes(value))});
  }
  if (stored != SQLITE_NULL) ++mistyped;
  return kNoValue;
}

}  // namespace

std::uint64_t row_bound(const Connection& db, const TableInfo& table, std::uint64_t file_bytes) {
  // Header size, one type byte a column, payload size and row id: what the shortest row of SQLite's format takes.
  const std::uint64_t fits = file_bytes / (3 + table.columns.size());
  const auto rows_of_report = static_cast<std::uint64_t>(std::numeric_limits<Row>::max()) - 1;
  Statement highest(db.handle(), "SELECT max(rowid) FROM " + sql_name(table.name));
  const bool known = highest.step() && highest.is_integer(0) && highest.integer(0) >= 0;
  const std::uint64_t told = known ? static_cast<std::uint64_t>(highest.integer(0)) : fits;
  return std::min({fits, told, rows_of_report});
}

ReadOutcome read_columns(const Connection& db, const TableInfo& table, std::span<const ColumnRequest> columns,
                         std::uint64_t max_rows, StringPool& texts, const std::function<void(Batch&)>& consume) {
  ReadOutcome outcome;
  Statement rows(db.handle(), select(table, columns));
  if (!rows.ok()) {
    outcome.damage = db.problem();
    return outcome;
  }
  Batch batch{0, std::vector<std::vector<std::int64_t>>(columns.size(), std::vector<std::int64_t>(kBatchRows))};
  const auto flush = [&] {
    outcome.rows += batch.rows;
    if (batch.rows > 0) consume(batch);
    batch.rows = 0;
  };
  while (rows.step()) {
    if (outcome.rows + batch.rows == max_rows) {
      outcome.damage = "it has more rows than the file can hold";
      break;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      batch.cells[c][batch.rows] = cell(rows.handle(), static_cast<int>(c), columns[c].type, texts, outcome.mistyped);
    }
    if (++batch.rows == kBatchRows) flush();
  }
  flush();
  if (rows.failed()) outcome.damage = db.problem();
  return outcome;
}

}  // namespace assay::load
