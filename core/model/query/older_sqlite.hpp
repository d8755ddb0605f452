// What SQLite knows from 3.38 on. Ubuntu 22.04 has 3.37: there the place of a mistake stays unsaid, and a statement
// that is given to a table function is looked at only when it runs.
#pragma once

#include <sqlite3.h>

namespace assay::query {

/// Where in its statement the last error of `db` is, in bytes; negative: not known.
inline int error_offset([[maybe_unused]] sqlite3* db) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(db);
#else
  return -1;
#endif
}

inline constexpr bool kLiteralsAreSeen = SQLITE_VERSION_NUMBER >= 3038000;

/// The literal that a constraint compares with; null when it is none, or kLiteralsAreSeen is false.
inline sqlite3_value* literal_of([[maybe_unused]] sqlite3_index_info* info, [[maybe_unused]] int constraint) {
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value* value = nullptr;
  return sqlite3_vtab_rhs_value(info, constraint, &value) == SQLITE_OK ? value : nullptr;
#else
  return nullptr;
#endif
}

}  // namespace assay::query
