// What SQLite knows from 3.38 on. Ubuntu 22.04 has 3.37: there the place of a mistake stays unsaid, a statement that is
// given to a table function is looked at only when it runs, and every row of a table is compared by SQLite.
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

/// Whether a table is handed the values of `IN (...)` at once; else it is scanned once for each, in the order of these.
inline constexpr bool kListsComeWhole = SQLITE_VERSION_NUMBER >= 3038000;

/// Whether the constraint is `IN (...)`; from here on its values come at once.
inline bool request_in_values([[maybe_unused]] sqlite3_index_info* info, [[maybe_unused]] int constraint) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in(info, constraint, 1) != 0;
#else
  return false;
#endif
}

/// Calls `each` with the values of an argument that `take_list` was true for.
template <class Each>
void each_of_list([[maybe_unused]] sqlite3_value* list, [[maybe_unused]] Each&& each) {
#if SQLITE_VERSION_NUMBER >= 3038000
  sqlite3_value* value = nullptr;
  for (int more = sqlite3_vtab_in_first(list, &value); more == SQLITE_OK; more = sqlite3_vtab_in_next(list, &value))
    each(value);
#endif
}

}  // namespace assay::query
