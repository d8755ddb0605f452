// Rows of the report model that a format appends one by one, into the memory of the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "assay/format.hpp"

namespace assay::formats {

/// A column in the memory of the host, filled from its first cell on. Absent until `make_present`, `resize` or `push`.
/// Throws std::runtime_error if the host refuses memory.
template <class T>
class ColumnWriter {
 public:
  using Value = T;
  /// A column of the report model by its place in its struct, one that links rows, one of a declared table.
  ColumnWriter(TableSink& out, ColumnId table, std::size_t offset)
      : ask_([&out, table, offset](std::uint64_t rows) {
          return out.cells(table, static_cast<std::uint32_t>(offset), rows);
        }) {}
  ColumnWriter(TableSink& out, ColumnId table, LinkColumn link)
      : ask_([&out, table, link](std::uint64_t rows) { return out.link_cells(table, link, rows); }) {}
  ColumnWriter(TableSink& out, Str table, Str column, CellKind kind)
      : ask_([&out, table, column, kind](std::uint64_t rows) {
          return out.declared_cells(table, column, kind, rows);
        }) {}

  void make_present(std::size_t expected = 0) {
    if (cells_ == nullptr || expected > capacity_) ask(std::max(expected, size_));
  }
  [[nodiscard]] bool present() const { return cells_ != nullptr; }
  void push(T value) {
    if (size_ == capacity_) ask(std::max<std::size_t>(kFirst, 2 * size_));
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
  /// New cells are uninitialized.
  void resize(std::size_t rows) {
    if (cells_ == nullptr || rows != capacity_) ask(rows);
    size_ = rows;
  }
  void assign(std::size_t rows, T value) {
    resize(rows);
    std::fill_n(cells_, rows, value);
  }
  /// Moves row order[i] to row i, and drops the others.
  void reorder(std::span<const std::uint32_t> order) {
    if (size_ == 0) return;
    const std::vector<T> before(cells_, cells_ + size_);
    std::ranges::transform(order, cells_, [&](std::uint32_t row) { return before[row]; });
    resize(order.size());
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<T> values() { return {cells_, size_}; }
  [[nodiscard]] std::span<const T> values() const { return {cells_, size_}; }
  [[nodiscard]] T operator[](std::size_t row) const { return cells_[row]; }
  /// Tells the host how many there are. Call after the last `push`.
  void finish() {
    if (present()) resize(size_);
  }

 private:
  static constexpr std::size_t kFirst = 1024;
  void ask(std::size_t rows) {
    cells_ = static_cast<T*>(ask_(rows));
    if (cells_ == nullptr) throw std::runtime_error("the host takes no such column");
    capacity_ = rows;
  }

  std::function<void*(std::uint64_t)> ask_;
  T* cells_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

/// All columns of a table, by the names they have in the report.
template <class Table>
struct RowWriter;

#define ASSAY_WRITTEN_(id, type, member, needed) ColumnWriter<type> member{out, table, offsetof(Of, member)};
#define ASSAY_EACH_WRITTEN_(id, type, member, needed) use(member);
#define ASSAY_NOT_WRITTEN_(id, type, member, needed)
#define ASSAY_ROW_WRITER_(Table, COLUMNS)                                   \
  template <>                                                               \
  struct RowWriter<Table> {                                                 \
    using Of = Table;                                                       \
    TableSink& out;                                                         \
    ColumnId table;                                                         \
    COLUMNS(ASSAY_WRITTEN_, ASSAY_WRITTEN_, ASSAY_NOT_WRITTEN_)             \
    RowWriter(TableSink& to, ColumnId of) : out(to), table(of) {}           \
    template <class Use>                                                    \
    void each(Use&& use) {                                                  \
      COLUMNS(ASSAY_EACH_WRITTEN_, ASSAY_EACH_WRITTEN_, ASSAY_NOT_WRITTEN_) \
    }                                                                       \
    void finish() {                                                         \
      each([](auto& column) { column.finish(); });                          \
    }                                                                       \
  };
ASSAY_ROW_WRITER_(KernelTable, ASSAY_KERNEL_COLUMNS)
ASSAY_ROW_WRITER_(GraphTable, ASSAY_GRAPH_COLUMNS)
ASSAY_ROW_WRITER_(CopyTable, ASSAY_COPY_COLUMNS)
ASSAY_ROW_WRITER_(SetTable, ASSAY_SET_COLUMNS)
ASSAY_ROW_WRITER_(SyncTable, ASSAY_SYNC_COLUMNS)
ASSAY_ROW_WRITER_(OverheadTable, ASSAY_OVERHEAD_COLUMNS)
ASSAY_ROW_WRITER_(CauseTable, ASSAY_CAUSE_COLUMNS)
ASSAY_ROW_WRITER_(CallTable, ASSAY_CALL_COLUMNS)
ASSAY_ROW_WRITER_(RangeTable, ASSAY_RANGE_COLUMNS)
ASSAY_ROW_WRITER_(HostEventTable, ASSAY_HOST_EVENT_COLUMNS)
ASSAY_ROW_WRITER_(MpiTable, ASSAY_MPI_COLUMNS)
ASSAY_ROW_WRITER_(PageFaultTable, ASSAY_PAGE_FAULT_COLUMNS)
ASSAY_ROW_WRITER_(AllocationTable, ASSAY_ALLOCATION_COLUMNS)
ASSAY_ROW_WRITER_(ProfiledTable, ASSAY_PROFILED_COLUMNS)
ASSAY_ROW_WRITER_(CounterTable, ASSAY_COUNTER_COLUMNS)
ASSAY_ROW_WRITER_(OpTable, ASSAY_OP_COLUMNS)
ASSAY_ROW_WRITER_(CollectiveTable, ASSAY_COLLECTIVE_COLUMNS)
#undef ASSAY_ROW_WRITER_
#undef ASSAY_NOT_WRITTEN_
#undef ASSAY_EACH_WRITTEN_
#undef ASSAY_WRITTEN_

}  // namespace assay::formats
