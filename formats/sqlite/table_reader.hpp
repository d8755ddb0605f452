// The one seam between the file and the columns: "these columns of this table, batch by batch".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/btree/page_file.hpp"
#include "formats/sqlite/schema.hpp"
#include "load/clean.hpp"
#include "load/reader.hpp"
#include "load/strings.hpp"

namespace assay::load {

/// A column that every table has beside its own: the numbers of its rows.
inline constexpr std::string_view kRowIds = "rowid";

enum class CellType { kInteger, kText };

struct ColumnRequest {
  std::string column;  ///< must exist in the table, or be kRowIds
  CellType type = CellType::kInteger;
};

/// Some rows of the requested columns: cells[column][row]. A text is its number in the pool given to the reader.
struct Batch {
  std::size_t first_row = 0, rows = 0;
  std::vector<std::span<const std::int64_t>> cells;
};

/// Where batches go: each to `take`, then to `take_in_order`.
class BatchSink {
 public:
  /// So many rows at most are to come; fewer may.
  virtual void reserve(std::size_t rows) = 0;
  /// So many rows are to come, or fewer where rows were deleted. Not called where nobody knows.
  virtual void expect(std::size_t rows) = 0;
  /// Several threads call this, in any order, after `expect`; or one does, in the order of the rows. Texts are not
  /// there yet.
  virtual void on_batch(const Batch& batch) = 0;
  /// One batch at a time, in the order of the rows.
  virtual void on_ordered_batch(const Batch& batch) = 0;
  /// All rows taken so far come again.
  virtual void restart() = 0;

 protected:
  ~BatchSink() = default;
};

/// What the pages of a table say of its rows.
struct PageCheck {
  std::string suspicion;  ///< what is wrong with them; empty: nothing that can be told
  std::string unchecked;  ///< why that cannot be told; empty: it was
};

struct ReadOutcome {
  std::uint64_t rows = 0;      ///< read, whatever became of them
  std::uint64_t mistyped = 0;  ///< cells that held something else than asked for
  std::string damage;          ///< why the table could not be read to its end; empty: it was
  std::string refusal;         ///< why its pages were not decoded directly, where that was tried; empty: they were
  PageCheck pages;             ///< of a table that sqlite3 read to its end
};

/// Where tables are read.
struct TableSource {
  const Connection& db;
  const btree::PageFile* pages;  ///< null: the file is none whose pages can be decoded
  Reader reader;
  std::uint64_t file_bytes;
  unsigned threads = 1;  ///< that may decode at once
};

/// Hands the rows of `table` to `sink` in file order, no more than the file can hold. Rows before a damaged page are
/// handed over. Pages are decoded directly unless `pages` is null; sqlite3 reads what is refused there, from its first
/// row. It looks at no more of a page than it needs and so reads damage as rows: what it read to the end is checked as
/// check_pages does.
ReadOutcome read_columns(const TableSource& source, const TableInfo& table, std::span<const ColumnRequest> columns,
                         StringPool& texts, BatchSink& sink);

/// All rows of a small table, read as by read_columns: columns[column][row], as Batch has them.
class WholeTable {
 public:
  /// At least one column.
  WholeTable(const TableSource& source, const TableInfo& table, std::span<const ColumnRequest> columns);

  [[nodiscard]] std::size_t rows() const { return columns_.front().size(); }
  [[nodiscard]] std::int64_t integer(std::size_t column, std::size_t row) const { return columns_[column][row]; }
  /// Empty where there is none.
  [[nodiscard]] std::string_view text(std::size_t column, std::size_t row) const {
    const std::int64_t id = columns_[column][row];
    return id == kNoValue ? std::string_view() : texts_[static_cast<StringId>(id)];
  }
  [[nodiscard]] const ReadOutcome& outcome() const { return outcome_; }

 private:
  std::vector<std::vector<std::int64_t>> columns_;
  StringPool texts_;
  ReadOutcome outcome_;
};

/// Every check that decoding makes of pages and records, for a table that sqlite3 reads. Nothing where `pages` is null:
/// of such a file load_nsys says that it was not checked.
PageCheck check_pages(const Connection& db, const btree::PageFile* pages, const TableInfo& table);

}  // namespace assay::load
