// Visits the columns of the report model, from the list at the end of report.hpp.
//
// A new column takes three files:
// report.hpp                 the member at the end of its table with its meaning, its id, and its row of the list
// the reader of a format     formats/nsys, formats/torch, ...: fills it
// sdk/reference.md           made again by sdk/reference.py (a test says when it is stale)
// The list takes care of storing, reordering, finding by id, and synthetic reports.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

#include "assay/report.hpp"

namespace assay {

/// A column in the list.
struct ListedColumn {
  ColumnId id;               ///< asks for it
  std::string_view id_name;  ///< "col::kernel_grid"
  std::string_view name;     ///< of the member: "grid_x"
  bool needed;               ///< a report without it does not meet a need for `id`
};

// each_column(table, use): calls use(ListedColumn, column) for every column, in table order.
#define ASSAY_USE_COLUMN(id, type, member, needed) use(ListedColumn{id, #id, #member, needed}, table.member);
#define ASSAY_EACH_COLUMN(Table, COLUMNS)                         \
  template <class Use>                                            \
  constexpr void each_column(const Table& table, Use&& use) {     \
    COLUMNS(ASSAY_USE_COLUMN, ASSAY_USE_COLUMN, ASSAY_USE_COLUMN) \
  }                                                               \
  template <class Use>                                            \
  constexpr void each_column(Table& table, Use&& use) {           \
    COLUMNS(ASSAY_USE_COLUMN, ASSAY_USE_COLUMN, ASSAY_USE_COLUMN) \
  }
ASSAY_LISTED_TABLES(ASSAY_EACH_COLUMN)
#undef ASSAY_EACH_COLUMN
#undef ASSAY_USE_COLUMN

namespace detail {

/// Whether a list has every column of a table, in order: a missing one would leave a gap between two offsets.
template <std::size_t N>
constexpr bool lists_all(const std::size_t (&offsets)[N], std::size_t size) {
  for (std::size_t i = 0; i < N; ++i) {
    if (offsets[i] != sizeof(std::uint64_t) + i * sizeof(Column<Row>)) return false;
  }
  return size == sizeof(std::uint64_t) + N * sizeof(Column<Row>);
}

}  // namespace detail

#define ASSAY_OFFSET(id, type, member, needed) offsetof(ListedTable, member),
#define ASSAY_SAME_TYPE(id, type, member, needed) \
  static_assert(std::is_same_v<decltype(ListedTable::member), Column<type>>, "the list names another type");
#define ASSAY_CHECK_LIST(Table, COLUMNS)                                                           \
  namespace detail::list_of_##Table {                                                              \
    using ListedTable = Table;                                                                     \
    inline constexpr std::size_t kOffsets[] = {COLUMNS(ASSAY_OFFSET, ASSAY_OFFSET, ASSAY_OFFSET)}; \
    static_assert(lists_all(kOffsets, sizeof(Table)),                                              \
                  #Table ": a column is not in its list in report.hpp, or not in order");          \
    COLUMNS(ASSAY_SAME_TYPE, ASSAY_SAME_TYPE, ASSAY_SAME_TYPE)                                     \
  }
ASSAY_LISTED_TABLES(ASSAY_CHECK_LIST)
#undef ASSAY_CHECK_LIST
#undef ASSAY_SAME_TYPE
#undef ASSAY_OFFSET

/// Id of a table's column that the list gives for another table with the same struct.
constexpr ColumnId of_table(ColumnId table, ColumnId listed) {
  constexpr unsigned kInTable = 0xFF;
  return static_cast<ColumnId>((static_cast<unsigned>(table) & ~kInTable) | (static_cast<unsigned>(listed) & kInTable));
}

/// Empty value of a cell: kNone for signed numbers, NaN, 0 for names and the like.
template <class T>
constexpr T no_value() {
  if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::quiet_NaN();
  } else if constexpr (std::is_same_v<T, MemoryKind>) {
    return MemoryKind::kUnknown;
  } else if constexpr (std::is_signed_v<T>) {
    return T{kNone};
  } else {
    return T{};
  }
}

}  // namespace assay
