// A large table column by column, several times as fast as stepping through it with sqlite3, on as many threads as are
// given.
//
//   auto file = PageFile::open(path);           // before the schema is read, so that a later change is noticed
//   auto layout = describe_table(db, "CUPTI_ACTIVITY_KIND_KERNEL");
//   auto scan = TableScan::plan(file, layout);
//   auto read = scan.read({{layout.find("start")}, ...}, kNoValue, {.in_order = ..., .at_once = ...}, threads);
//
// Every step may refuse with a reason; then sqlite3 reads this table from its first row, over whatever was handed out.
// What is not refused equals what sqlite3 gives for the same bytes, in the order of the row ids, whatever the number of
// threads.
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
  /// Cells that hold something else than asked for, neither NULL; over all columns.
  std::uint64_t mistyped = 0;
};

struct WantedColumn {
  std::size_t column;  ///< of TableLayout::columns
  FieldKind kind = FieldKind::kInteger;
};

/// Some rows of the columns asked for, in the order in which they were.
struct RowBatch {
  std::uint64_t first_row = 0;
  std::size_t rows = 0;
  std::vector<std::span<const std::int64_t>> integers;
  std::vector<std::span<const std::string_view>> texts;  ///< of null data(): no text
};

/// Who is handed the batches: each of them to both. A batch and its texts live until both return.
struct RowConsumer {
  std::function<void(const RowBatch&)> in_order = {};  ///< one at a time, in the order of the rows
  std::function<void(const RowBatch&)> at_once = {};   ///< before that; several threads call it, in any order
};

class TableScan {
 public:
  /// Finds the table's pages.
  static Outcome<TableScan> plan(const PageFile& file, const TableLayout& layout);

  /// Rows that the table has; more where rows were deleted, which reading on one thread finds out.
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// Bytes of the pages that hold the rows.
  [[nodiscard]] std::uint64_t bytes() const { return leaves_.leaves().size() * file_.page_size(); }

  /// Hands the rows to `consumer` on up to `threads` threads, the calling one among them; `null_value` stands for NULL
  /// and for what is no integer. May refuse after some batches. Refused also where a REAL column, or a row id as a
  /// text, is asked for, and on more than one thread where rows were deleted (Reason::kMiscounted).
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
