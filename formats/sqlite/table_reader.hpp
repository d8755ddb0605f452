// The single interface between file and columns: "these columns of this table, batch by batch".
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "formats/btree/page_file.hpp"
#include "formats/sqlite/schema.hpp"
#include "load/clean.hpp"
#include "load/reader.hpp"
#include "load/strings.hpp"

namespace assay::load {

/// A column that every table has in addition to its own: its row ids.
inline constexpr std::string_view kRowIds = "rowid";

enum class CellType { kInteger, kText };

struct ColumnRequest {
  std::string column;  ///< must exist in the table or be kRowIds
  CellType type = CellType::kInteger;
};

/// Some rows of the requested columns: cells[column][row]. A text is represented by its number from the TextIds
/// given to the reader.
struct Batch {
  std::size_t first_row = 0, rows = 0;
  std::vector<std::span<const std::int64_t>> cells;
};

/// Receives batches, each first by `take` and then by `on_ordered_batch`.
class BatchSink {
 public:
  /// At most `rows` rows will follow.
  virtual void reserve(std::size_t rows) = 0;
  /// `rows` rows will follow, or fewer if rows were deleted. Not called if the number is unknown.
  virtual void expect(std::size_t rows) = 0;
  /// Called by several threads in any order, after `expect`, or by one thread in row order. Texts are not available
  /// yet.
  virtual void on_batch(const Batch& batch) = 0;
  /// One batch at a time, in row order.
  virtual void on_ordered_batch(const Batch& batch) = 0;
  /// All rows received so far will be sent again.
  virtual void restart() = 0;

 protected:
  ~BatchSink() = default;
};

/// Result of checking the pages of a table.
struct PageCheck {
  std::string suspicion;  ///< what is wrong with the pages; empty: nothing was found
  std::string unchecked;  ///< why the pages could not be checked; empty: they were
};

struct ReadOutcome {
  std::uint64_t rows = 0;      ///< rows read, including unusable ones
  std::uint64_t mistyped = 0;  ///< cells with another type than requested
  std::string damage;          ///< why the table could not be read completely; empty: it was
  std::string refusal;         ///< why its pages were not decoded directly although that was tried; empty: they were
  PageCheck pages;             ///< for a table that sqlite3 read completely
};

/// Numbers texts: equal for equal texts.
using TextIds = std::function<std::uint32_t(std::string_view)>;
inline TextIds ids_in(StringPool& pool) {
  return [&pool](std::string_view text) { return pool.intern(text); };
}

/// Where tables are read from.
struct TableSource {
  const Connection& db;
  const btree::PageFile* pages;  ///< null: the pages cannot be decoded
  Reader reader;
  std::uint64_t file_bytes;
  unsigned threads = 1;  ///< threads that may decode concurrently
};

/// Sends the rows of `table` to `sink` in file order, at most as many as the file can hold, including those before a
/// damaged page. Pages are decoded directly unless `pages` is null; refused tables are read by sqlite3 from the first
/// row. sqlite3 looks only at the parts of a page it needs and so may return damage as rows; tables it read completely
/// are checked as by check_pages.
ReadOutcome read_columns(const TableSource& source, const TableInfo& table, std::span<const ColumnRequest> columns,
                         const TextIds& texts, BatchSink& sink);

/// All rows of a small table, read by read_columns: columns[column][row], as in Batch.
class WholeTable {
 public:
  /// At least one column.
  WholeTable(const TableSource& source, const TableInfo& table, std::span<const ColumnRequest> columns);

  [[nodiscard]] std::size_t rows() const { return columns_.front().size(); }
  [[nodiscard]] std::int64_t integer(std::size_t column, std::size_t row) const { return columns_[column][row]; }
  /// Empty if there is none.
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

/// Applies the checks of the decoder to the pages and records of a table read by sqlite3. Does nothing if `pages` is
/// null: load_nsys reports such files as unchecked.
PageCheck check_pages(const Connection& db, const btree::PageFile* pages, const TableInfo& table);

}  // namespace assay::load
