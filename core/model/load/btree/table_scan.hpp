// A large table straight into the caller's arrays, several times as fast as stepping through it with sqlite3.
//
//   auto file = PageFile::open(path);           // before the schema is read, so that a later change is noticed
//   auto layout = describe_table(db, "CUPTI_ACTIVITY_KIND_KERNEL");
//   auto scan = TableScan::plan(file, layout);
//   BigArray<std::int64_t> starts(scan.rows());  // exact, or more where rows were deleted: read() says how many
//   auto read = scan.read({{{layout.find("start"), starts.span(), kNoValue}, ...}}, threads);
//
// or, where values need work before they are stored, batch by batch in the order of the rows with scan.stream().
//
// Every step may refuse with a reason; then sqlite3 reads this table from its first row, over whatever was written or
// handed out. What is not refused equals what sqlite3 gives for the same bytes, in the order of the row ids, whatever
// the number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "load/btree/leaf_list.hpp"
#include "load/btree/page_decoder.hpp"
#include "load/btree/page_file.hpp"
#include "load/btree/table_layout.hpp"

namespace assay::load::btree {

struct TableRows {
  std::uint64_t rows = 0;  ///< written to the sinks
  /// Cells that hold something else than asked for, neither NULL; over all sinks.
  std::uint64_t mistyped = 0;
  std::vector<TextArena> texts;  ///< own what the text sinks show
};

struct StreamColumn {
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

class TableScan {
 public:
  /// Finds the table's pages.
  static Outcome<TableScan> plan(const PageFile& file, const TableLayout& layout);

  /// Elements that every sink must have.
  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// Bytes of the pages that hold the rows.
  [[nodiscard]] std::uint64_t bytes() const { return leaves_.leaves().size() * file_.page_size(); }

  /// Reads the columns on up to `threads` threads, the calling one among them. Refused also where a sink asks for a
  /// REAL column, for a row id as a text, or has fewer elements than rows() or a null value that does not fit.
  /// Elements past the rows read hold anything: a row counted again may have stood there.
  Outcome<TableRows> read(std::span<const ColumnSink> sinks, unsigned threads = 1);

  /// Hands the rows to `consume` in order, on the calling thread. A batch and its texts live until `consume` returns.
  /// May refuse after some batches. Refused also where REAL columns, or a row id as text, are asked for.
  Outcome<TableRows> stream(std::span<const StreamColumn> columns, std::int64_t null_value,
                            const std::function<void(const RowBatch&)>& consume) const;

 private:
  struct Pass;
  TableScan(PageFile file, TableLayout layout, LeafList leaves);
  [[nodiscard]] std::optional<Refusal> check(std::span<const ColumnSink> sinks, std::uint64_t rows) const;
  Outcome<TableRows> read_leaves(std::span<const ColumnSink> sinks, unsigned threads, bool& miscounted) const;

  PageFile file_;
  TableLayout layout_;
  LeafList leaves_;
  std::uint64_t rows_;
};

}  // namespace assay::load::btree
