// Why a table is not decoded here. A refusal is no error: sqlite3 reads the table instead.
#pragma once

#include <optional>
#include <string>
#include <variant>

namespace assay::load::btree {

enum class Reason {
  kUnreadable,     ///< the file cannot be opened or read
  kHeader,         ///< not SQLite, or a header that sqlite3 writes in no version
  kJournal,        ///< a write-ahead log or a hot journal lies beside the file
  kReservedBytes,  ///< pages carry bytes of an extension (encryption, checksums)
  kEncoding,       ///< a text is wanted, and the file stores UTF-16
  kFileSize,       ///< the file is not as long as its header says
  kFreeList,       ///< the list of free pages is damaged, or names a page of the table
  kLayout,         ///< no such table, a view, a virtual table, or generated columns
  kWithoutRowId,   ///< the rows stand in an index tree
  kRealColumn,     ///< a REAL column, whose integers stand for reals
  kPage,           ///< a page, cell or child that is not where or what it must be
  kRecord,         ///< a record that contradicts itself
  kShortRecord,    ///< a wanted column was added after the row was written
  kLongHeader,     ///< a record header of more than 127 bytes
  kOverflow,       ///< a wanted column continues on overflow pages
  kMiscounted,     ///< a leaf has another number of rows than its row ids leave room for: rows were deleted
  kChanged,        ///< the file changed while it was read
};

struct Refusal {
  Reason reason;
  std::string sentence;  ///< what and where, for the log
};

/// A value, or why there is none.
template <class T>
using Outcome = std::variant<T, Refusal>;

}  // namespace assay::load::btree
