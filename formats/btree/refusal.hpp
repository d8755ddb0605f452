// Why a table is not decoded directly. A refusal is not an error: sqlite3 reads the table instead.
#pragma once

#include <optional>
#include <string>
#include <variant>

namespace assay::load::btree {

enum class Reason {
  kUnreadable,     ///< the file cannot be opened or read
  kHeader,         ///< not SQLite, or a header that no version of sqlite3 writes
  kJournal,        ///< there is a write-ahead log or a hot journal
  kReservedBytes,  ///< pages contain bytes of an extension (encryption, checksums)
  kEncoding,       ///< a text is requested and the file uses UTF-16
  kFileSize,       ///< the file size differs from the size in its header
  kFreeList,       ///< the list of free pages is damaged or contains a page of the table
  kLayout,         ///< no such table, a view, a virtual table, or generated columns
  kWithoutRowId,   ///< the rows are in an index tree
  kRealColumn,     ///< a REAL column, in which integers may represent reals
  kPage,           ///< a page, cell or child that is misplaced or of the wrong kind
  kRecord,         ///< an inconsistent record
  kShortRecord,    ///< a requested column was added after the row was written
  kLongHeader,     ///< a record header of more than 127 bytes
  kOverflow,       ///< a requested column continues on overflow pages
  kMiscounted,     ///< a leaf has a number of rows that contradicts its row ids: rows were deleted
  kChanged,        ///< the file changed while it was read
};

struct Refusal {
  Reason reason;
  std::string sentence;  ///< what and where, for the log
};

/// A value, or the reason for having none.
template <class T>
using Outcome = std::variant<T, Refusal>;

}  // namespace assay::load::btree
