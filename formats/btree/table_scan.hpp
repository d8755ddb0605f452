// Reads a large table column by column, several times faster than stepping through it with sqlite3, on the given number
// of threads.
//
// auto file = PageFile::open(path);           // before the schema is read, so that a later change is noticed auto
// layout = describe_table(db, "CUPTI_ACTIVITY_KIND_KERNEL"); auto scan = TableScan::plan(file, layout); auto read =
// scan.read({{layout.find("start")}, ...}, kNoValue, {.in_order = ..., .at_once = ...}, threads);
//
// Every step may refuse with a reason. Then sqlite3 reads the table from its first row and replaces all batches
// delivered. Without a refusal the result equals what sqlite3 returns for the same bytes, in row id order, for any
// number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "formats/btree/leaf_list.hpp"
#include "formats/btree/page_decoder.hpp"
#include "formats/btree/page_file.hpp"
#include "formats/btree/table_layout.hpp"

namespace assay::load::btree {

struct TableRows {
  std::uint64_t rows = 0;  ///< handed out
  /// Cells that hold neither the requested type nor NULL, over all columns.
  std::uint64_t mistyped = 0;
};

struct WantedColumn {
  std::size_t column;  ///< of TableLayout::columns
  FieldKind kind = FieldKind::kInteger;
};

/// Some rows of the requested columns, in the order of the request.
struct RowBatch {
  std::uint64_t first_row = 0;
  std::size_t rows = 0;
  std::vector<std::span<const std::int64_t>> integers;
  std::vector<std::span<const std::string_view>> texts;  ///< null data(): no text
};

/// Receives every batch through both functions. A batch and its texts are valid until both return.
struct RowConsumer {
  std::function<void(const RowBatch&)> in_order = {};  ///< one batch at a time, in row order
  std::function<void(const RowBatch&)> at_once = {};   ///< called earlier, by several threads in any order
};

class TableScan {
 public:
  /// Finds the pages of the table.
  static Outcome<TableScan> plan(const PageFile& file, const TableLayout& layout);

  /// Number of rows; too large if rows were deleted, which a scan on one thread corrects.
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// Bytes of the pages with the rows.
  [[nodiscard]] std::uint64_t bytes() const { return leaves_.leaves().size() * file_.page_size(); }

  /// Passes the rows to `consumer` on up to `threads` threads including the calling one. `null_value` replaces NULL and
  /// values that are not integers. May refuse after some batches. Also refused: a REAL column or a row id as text and,
  /// on more than one thread, tables with deleted rows (Reason::kMiscounted).
  Outcome<TableRows> read(std::span<const WantedColumn> columns, std::int64_t null_value, const RowConsumer& consumer,
                          unsigned threads = 1) const;

 private:
  struct Pass;
  TableScan(PageFile file, TableLayout layout, LeafList leaves);
  [[nodiscard]] std::optional<Refusal> check(std::span<const WantedColumn> columns) const;

  PageFile file_;
  TableLayout layout_;
  LeafList leaves_;
  std::uint64_t rows_;
};

}  // namespace assay::load::btree
