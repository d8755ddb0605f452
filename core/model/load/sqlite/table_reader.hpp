// The one seam between the file and the columns: "these columns of this table, batch by batch".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "load/btree/page_file.hpp"
#include "load/clean.hpp"
#include "load/reader.hpp"
#include "load/sqlite/schema.hpp"
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
  /// So many rows at most are to come. Not called where nobody knows.
  virtual void expect(std::size_t rows) = 0;
  /// Several threads call this, in any order, after `expect`; or one does, in the order of the rows. Texts are not
  /// there yet.
  virtual void take(const Batch& batch) = 0;
  /// One batch at a time, in the order of the rows.
  virtual void take_in_order(const Batch& batch) = 0;
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

/// Greatest number of rows that `table` can have: by its highest row id, and by the bytes of the file. Row ids and
/// counts in a damaged or hostile file may say anything.
std::uint64_t row_bound(const Connection& db, const TableInfo& table, std::uint64_t file_bytes);

/// Where tables are read.
struct TableSource {
  const Connection& db;
  const btree::PageFile* pages;  ///< null: the file is none whose pages can be decoded
  Reader reader;
  unsigned threads = 1;  ///< that may decode at once
};

struct RowsWanted {
  std::span<const ColumnRequest> columns;
  std::uint64_t most;  ///< rows
};

/// Hands the rows of `table` to `sink` in file order, no more than are wanted. Rows before a damaged page are handed
/// over. Pages are decoded directly unless `pages` is null; sqlite3 reads what is refused there, from its first row. It
/// looks at no more of a page than it needs and so reads damage as rows: what it read to the end is checked as
/// check_pages does.
ReadOutcome read_columns(const TableSource& source, const TableInfo& table, const RowsWanted& rows, StringPool& texts,
                         BatchSink& sink);

/// Every check that decoding makes of pages and records, for a table that sqlite3 reads. Nothing where `pages` is null:
/// of such a file load_nsys says that it was not checked.
PageCheck check_pages(const Connection& db, const btree::PageFile* pages, const TableInfo& table);

}  // namespace assay::load
