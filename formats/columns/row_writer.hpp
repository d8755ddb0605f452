// Rows of the report model that a format appends one by one, into the memory of the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "assay/format.hpp"

namespace assay::formats {

/// A column that is filled from its first cell on. Absent until `make_present`. Throws std::runtime_error if the host
/// refuses memory. `Place`: LinkColumn for a column that links rows, else bytes to the column in its table.
template <class T, class Place = std::size_t>
class ColumnWriter {
 public:
  ColumnWriter(TableSink& out, ColumnId table, Place place) : out_(&out), table_(table), place_(place) {}

  void make_present(std::size_t expected = 0) {
    if (cells_ == nullptr || expected > capacity_) resize(std::max(expected, size_));
  }
  [[nodiscard]] bool present() const { return cells_ != nullptr; }
  void push(T value) {
    if (size_ == capacity_) resize(std::max<std::size_t>(kFirst, 2 * size_));
    cells_[size_++] = value;
  }
  /// As row `row`, in a column that begins with the first row that has a value: those before it have `none`.
  void push_late(std::size_t row, T value, T none) {
    if (!present() && value == none) return;
    while (size_ < row) push(none);
    push(value);
  }
  void push_if_present(T value) {
    if (present()) push(value);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<T> values() { return {cells_, size_}; }
  [[nodiscard]] T operator[](std::size_t row) const { return cells_[row]; }
  /// Tells the host how many there are. Call after the last.
  void finish() {
    if (present()) resize(size_);
  }

 private:
  static constexpr std::size_t kFirst = 1024;
  void resize(std::size_t rows) {
    if constexpr (std::is_same_v<Place, LinkColumn>)
      cells_ = static_cast<T*>(out_->link_cells(table_, place_, rows));
    else
      cells_ = static_cast<T*>(out_->cells(table_, static_cast<std::uint32_t>(place_), rows));
    if (cells_ == nullptr) throw std::runtime_error("the host takes no such column");
    capacity_ = rows;
  }

  TableSink* out_;
  ColumnId table_;
  Place place_;
  T* cells_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

template <class T>
using LinkWriter = ColumnWriter<T, LinkColumn>;

/// All columns of a table, by the names they have in the report.
template <class Table>
struct RowWriter;

#define ASSAY_WRITTEN_(id, type, member, needed) ColumnWriter<type> member{out, table, offsetof(Of, member)};
#define ASSAY_FINISHED_(id, type, member, needed) member.finish();
#define ASSAY_NOT_WRITTEN_(id, type, member, needed)
#define ASSAY_ROW_WRITER_(Table, COLUMNS)                                           \
  template <>                                                                       \
  struct RowWriter<Table> {                                                         \
    using Of = Table;                                                               \
    TableSink& out;                                                                 \
    ColumnId table;                                                                 \
    COLUMNS(ASSAY_WRITTEN_, ASSAY_WRITTEN_, ASSAY_NOT_WRITTEN_)                     \
    RowWriter(TableSink& to, ColumnId of) : out(to), table(of) {}                   \
    void finish() { COLUMNS(ASSAY_FINISHED_, ASSAY_FINISHED_, ASSAY_NOT_WRITTEN_) } \
  };
ASSAY_ROW_WRITER_(KernelTable, ASSAY_KERNEL_COLUMNS)
ASSAY_ROW_WRITER_(CopyTable, ASSAY_COPY_COLUMNS)
ASSAY_ROW_WRITER_(CallTable, ASSAY_CALL_COLUMNS)
ASSAY_ROW_WRITER_(RangeTable, ASSAY_RANGE_COLUMNS)
ASSAY_ROW_WRITER_(AllocationTable, ASSAY_ALLOCATION_COLUMNS)
ASSAY_ROW_WRITER_(ProfiledTable, ASSAY_PROFILED_COLUMNS)
ASSAY_ROW_WRITER_(CounterTable, ASSAY_COUNTER_COLUMNS)
ASSAY_ROW_WRITER_(SetTable, ASSAY_SET_COLUMNS)
ASSAY_ROW_WRITER_(SyncTable, ASSAY_SYNC_COLUMNS)
ASSAY_ROW_WRITER_(OverheadTable, ASSAY_OVERHEAD_COLUMNS)
ASSAY_ROW_WRITER_(CauseTable, ASSAY_CAUSE_COLUMNS)
ASSAY_ROW_WRITER_(OpTable, ASSAY_OP_COLUMNS)
ASSAY_ROW_WRITER_(CollectiveTable, ASSAY_COLLECTIVE_COLUMNS)
#undef ASSAY_ROW_WRITER_
#undef ASSAY_NOT_WRITTEN_
#undef ASSAY_FINISHED_
#undef ASSAY_WRITTEN_

}  // namespace assay::formats
