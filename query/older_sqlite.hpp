// Features of SQLite 3.38 and later. With 3.37 (Ubuntu 22.04) the position of an error is unknown, a statement passed
// to a table function is checked only when it runs, and SQLite compares every row of a table itself.
#pragma once

#include <sqlite3.h>

namespace assay::query {

/// Byte offset of the last error of `db` in its statement; negative: unknown.
inline int error_offset([[maybe_unused]] sqlite3* db) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(db);
#else
  return -1;
#endif
}

inline constexpr bool kLiteralsAreSeen = SQLITE_VERSION_NUMBER >= 3038000;

/// The literal that a constraint compares with; null if it is not one, or kLiteralsAreSeen is false.
inline sqlite3_value* literal_of([[maybe_unused]] sqlite3_index_info* info, [[maybe_unused]] int constraint) {
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value* value = nullptr;
  return sqlite3_vtab_rhs_value(info, constraint, &value) == SQLITE_OK ? value : nullptr;
#else
  return nullptr;
#endif
}

/// Whether a table receives all values of `IN (...)` at once; else it is scanned once per value, in list order.
inline constexpr bool kListsComeWhole = SQLITE_VERSION_NUMBER >= 3038000;

/// Whether the constraint is `IN (...)`; from then on its values arrive at once.
inline bool request_in_values([[maybe_unused]] sqlite3_index_info* info, [[maybe_unused]] int constraint) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in(info, constraint, 1) != 0;
#else
  return false;
#endif
}

/// Calls `each` with the values of an argument for which `request_in_values` was true.
template <class Each>
void each_of_list([[maybe_unused]] sqlite3_value* list, [[maybe_unused]] Each&& each) {
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value* value = nullptr;
  for (int more = sqlite3_vtab_in_first(list, &value); more == SQLITE_OK; more = sqlite3_vtab_in_next(list, &value))
    each(value);
#endif
}

}  // namespace assay::query
