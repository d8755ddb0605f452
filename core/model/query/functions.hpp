// SQL functions for profiles, built on the SDK's interval algebra.
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/algo/kernel_classes.hpp"
#include "query/table_module.hpp"
#include "sqlite/budget.hpp"

namespace assay::query {

/// A function as listed by `.help` and the documentation.
struct FunctionText {
  std::string_view call;  ///< "union_ns(start, end)"
  std::string_view does;  ///< one sentence
};
std::span<const FunctionText> function_texts();

/// Memory that is charged to the statement.
template <class T>
struct CountedMemory {
  using value_type = T;
  CountedMemory() = default;
  template <class U>
  CountedMemory(const CountedMemory<U>&) {}  // NOLINT: implicit by design
  T* allocate(std::size_t n) {
    void* const got = sqlite3_malloc64(n * sizeof(T));
    if (got == nullptr) throw std::bad_alloc();
    return static_cast<T*>(got);
  }
  void deallocate(T* memory, std::size_t) { sqlite3_free(memory); }
  friend bool operator==(const CountedMemory&, const CountedMemory&) { return true; }
};
template <class T>
using List = std::vector<T, CountedMemory<T>>;

/// Sorts by `less` within the limits of the statement; throws if it has to end.
template <class T, class Less>
void sort_within_limits(List<T>& list, Less less) {
  constexpr unsigned kBetweenChecks = 1U << 20;  // comparisons: some milliseconds
  unsigned compared = 0;
  std::sort(list.begin(), list.end(), [&](const T& a, const T& b) {
    if (++compared % kBetweenChecks == 0) sqlite::Budget::check();
    return less(a, b);
  });
}

/// Context of functions. Must outlive the connection.
struct FunctionData {
  const Sources* sources = nullptr;     ///< null: no reports
  std::optional<NameRules> rules = {};  ///< of kernel_class; empty: no rules
  std::string no_rules = {};            ///< and why
};

/// Registers scalars and aggregates. False if SQLite refuses.
bool add_functions(sqlite3* db, const FunctionData& data);

/// Registers the table functions interval_union, interval_intersect, interval_subtract and histogram.
bool add_table_functions(sqlite3* db);

}  // namespace assay::query
