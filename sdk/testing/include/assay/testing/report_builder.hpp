// A Report from a few lines, for tests of `analyze`.
//
//   ReportBuilder b;
//   const Row launch = b.call(CallKind::kKernelLaunch, 10, 20);
//   b.kernel("gemm", 30, 90, {.stream = 7, .call = launch});
//   b.range("forward", 0, 100);
//   b.iteration(0, 0, 100);
//   analyzer.analyze(b.build(), recorder);
//
// Rows may be added in any order: `build` sorts them as the host does and renumbers references to them. Defaults: a
// table without rows is null (not captured), every column of the other tables is present, and the window is the whole
// capture.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/detail/step_finder.hpp"
#include "assay/report.hpp"
#include "assay/testing/report_counters.hpp"
#include "assay/testing/report_ops.hpp"
#include "assay/testing/report_rows.hpp"

namespace assay::testing {

/// Collects rows. `call`, `kernel`, `range` and so on return the number of the addition; `row_of_call` and its siblings
/// return the row in the built report. Times are ns, [start, end]; a row that ends before it starts throws
/// std::invalid_argument. The report refers to the builder and is valid until the next `build`.
class ReportBuilder {
 public:
  explicit ReportBuilder(std::string path = "report.sqlite");
  ~ReportBuilder();
  ReportBuilder(const ReportBuilder&) = delete;
  ReportBuilder& operator=(const ReportBuilder&) = delete;

  /// Adds a process and returns its row. Without any, there is process 1.
  std::uint32_t process(std::int64_t id) { return append(processes_, id); }
  /// Adds a thread of a process and returns its row. Without any, there is thread 1 of process row 0.
  std::uint32_t thread(std::int64_t id, std::uint32_t process = 0) { return append(threads_, std::pair(process, id)); }

  /// An API call; parent range and operator follow from those of its thread.
  Row call(CallKind kind, std::int64_t start, std::int64_t end, std::uint32_t thread = 0, CallOptions options = {});
  Row kernel(std::string name, std::int64_t start, std::int64_t end, KernelOptions options = {});
  /// A launch of a graph traced as a whole; `graph`: its id.
  Row graph(std::int64_t graph, std::int64_t start, std::int64_t end, WorkOptions options = {});
  Row copy(CopyDirection direction, std::int64_t bytes, std::int64_t start, std::int64_t end, WorkOptions options = {});
  Row set(std::int64_t bytes, std::int64_t start, std::int64_t end, WorkOptions options = {});
  /// A push/pop range; its parent and depth follow from the ranges of its thread.
  Row range(std::string name, std::int64_t start, std::int64_t end, RangeOptions options = {});
  /// A start/end range.
  Row span(std::string name, std::int64_t start, std::int64_t end, RangeOptions options = {});
  /// A synchronisation as recorded by the device; `type` as in SyncTable.
  Row sync(std::int32_t type, std::int64_t start, std::int64_t end, WorkOptions options = {});
  /// A period in which the profiler itself delayed a process.
  /// A cause that the profile states: "compiling forward".
  Row cause(std::string name, std::int64_t start, std::int64_t end, std::uint32_t thread = 0);
  Row overhead(std::int64_t start, std::int64_t end, std::uint32_t process = 0);
  /// An iteration; `overlapping` follows from the others.
  Row iteration(std::int64_t number, std::int64_t start, std::int64_t end, std::uint32_t thread = 0);
  /// An operator, Python function or annotation; its parent and depth follow from those of its thread. Add annotations
  /// as ranges as well.
  Row op(OpKind kind, std::string name, std::int64_t start, std::int64_t end, OpOptions options = {});
  /// An allocation event; negative `bytes`: freed.
  Row allocation(std::int64_t bytes, std::int64_t time, AllocationOptions options = {});
  /// A launch measured by Nsight Compute; launches with equal name and shape form a group.
  Row profiled(std::string name, ProfiledOptions options = {});
  /// A counter of such a launch. Throws std::invalid_argument for NaN, std::out_of_range for an unknown launch.
  ReportBuilder& counter(Row profiled, std::string name, double value, CounterOptions options = {});
  /// Marks a kernel (as returned by `kernel`) as a collective.
  ReportBuilder& collective(Row kernel, CollectiveKind kind, CollectiveOptions options = {});
  ReportBuilder& property(std::string name, std::string value);
  /// Sets the properties of a device; devices that ran work exist without them.
  ReportBuilder& device(std::int32_t id, DeviceOptions options = {});
  ReportBuilder& issue(std::string name, Severity severity, std::int64_t count, std::string text);
  /// A window from a named range; its host part equals `projected` unless `host` is given.
  ReportBuilder& window(std::string name, Interval projected, std::optional<Interval> host = {});
  /// Lets a table exist without rows: captured, and nothing happened. `table` is col::kernels, ...
  ReportBuilder& captured(ColumnId table);
  /// Leaves out columns, as an export without them would: col::kernel_registers, col::call_range, ...
  ReportBuilder& absent(ColumnId column);
  /// Sets the cells of any column, in the order in which the rows of its table were added, with kNone and the like at
  /// the end: cells(&KernelTable::green_context, {3, 4}). For ranges and spans, those of ranges.
  template <class Table, class T>
  ReportBuilder& cells(Column<T> Table::* column, std::vector<T> values) {
    given_.push_back([this, column, values = std::move(values)] {
      const auto [table, order] = rows_of(static_cast<Table*>(nullptr));
      std::vector<T> cells(order.size(), no_value<T>());
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] < values.size()) cells[i] = values[order[i]];
      }
      table.*column = pool_.keep(std::move(cells));
    });
    return *this;
  }
  /// Columns without values become present with empty cells (no_value), except those left out by `absent`.
  ReportBuilder& every_column();

  const Report& build();

  /// Row in the report built last, by the number of the addition; kNone stays kNone, an unknown one throws
  /// std::out_of_range.
  [[nodiscard]] Row row_of_call(Row added) const { return calls_.row(added); }
  [[nodiscard]] Row row_of_kernel(Row added) const { return kernels_.row(added); }
  [[nodiscard]] Row row_of_range(Row added) const { return ranges_.row(added); }
  [[nodiscard]] Row row_of_span(Row added) const { return spans_.row(added); }
  [[nodiscard]] Row row_of_op(Row added) const { return ops_.row(added); }
  [[nodiscard]] Row row_of_iteration(Row added) const { return iterations_.row(added); }

 private:
  template <class T>
  static std::uint32_t append(std::vector<T>& rows, T value) {
    rows.push_back(std::move(value));
    return static_cast<std::uint32_t>(rows.size() - 1);
  }

  /// Attaches a table to the report if it has rows or was declared captured.
  template <class Table>
  void set_table(const Table*& place, const Table& table, ColumnId id) {
    place = table.rows > 0 || captured_.contains(id) ? &table : nullptr;
  }

  StringId intern(const std::string& text);

  /// The column `get(row)` over the rows of a table in its order; not present if `id` was left out.
  template <class T, class AddedLaunch, class Get>
  Column<T> column(const Rows<AddedLaunch>& rows, Get&& get, ColumnId id = {}) {
    if (absent_.contains(id)) return {};
    std::vector<T> cells;
    for (std::size_t i = 0; i < rows.size(); ++i) cells.push_back(static_cast<T>(get(rows.at(i))));
    return pool_.keep(std::move(cells));
  }

  void sort_rows();

  void build_hosts();

  /// Number (as added) of the innermost push/pop range of a thread that contains [start, end]. `self` does not contain
  /// itself; of equal ranges the one added first is the outer one.
  [[nodiscard]] Row innermost(std::uint32_t thread_row, std::int64_t start, std::int64_t end, Row self) const;

  RangeTable range_table(const Rows<AddedRange>& rows, bool nested);

  void build_calls();

  /// The core columns of an event table.
  template <class Table, class AddedLaunch>
  void core(Table& t, const Rows<AddedLaunch>& rows) {
    t.rows = rows.size();
    t.start = column<std::int64_t>(rows, [](const AddedLaunch& w) { return w.start; });
    t.end = column<std::int64_t>(rows, [](const AddedLaunch& w) { return w.end; });
    t.device = column<std::int32_t>(rows, [](const AddedLaunch& w) { return w.options.device; });
    t.stream = column<std::int32_t>(rows, [](const AddedLaunch& w) { return w.options.stream; });
    t.process = column<std::uint32_t>(rows, [](const AddedLaunch& w) { return w.options.process; });
    t.call = column<Row>(rows, [&](const AddedLaunch& w) { return calls_.row(w.options.call); });
    if constexpr (requires { t.membership; }) {
      t.membership = column<Membership>(rows, [](const AddedLaunch& w) { return w.options.membership; });
    }
  }

  void build_work();

  void build_kernels();

  void build_collectives();

  [[nodiscard]] Row op_of_kernel(const AddedKernel& kernel) const;

  void build_iterations();
  void build_steps();

  void build_devices();

  void build_window();

  template <class Table>
  using Place = std::pair<Table&, const std::vector<std::size_t>&>;  ///< a table and the order of its rows
  Place<KernelTable> rows_of(KernelTable*) { return {built_.kernels, kernels_.order}; }
  Place<GraphTable> rows_of(GraphTable*) { return {built_.graphs, graphs_.order}; }
  Place<CopyTable> rows_of(CopyTable*) { return {built_.copies, copies_.order}; }
  Place<SetTable> rows_of(SetTable*) { return {built_.sets, sets_.order}; }
  Place<SyncTable> rows_of(SyncTable*) { return {built_.syncs, syncs_.order}; }
  Place<CallTable> rows_of(CallTable*) { return {built_.calls, calls_.order}; }
  Place<RangeTable> rows_of(RangeTable*) { return {built_.ranges, ranges_.order}; }
  Place<OpTable> rows_of(OpTable*) { return {built_.ops, ops_.order}; }
  Place<AllocationTable> rows_of(AllocationTable*) { return {built_.allocations, allocations_.order}; }

  void fill_columns();

  void finish();

  std::string path_;
  std::vector<std::int64_t> processes_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> threads_;
  Rows<AddedCall> calls_;
  Rows<AddedKernel> kernels_;
  Rows<AddedWork> graphs_, copies_, sets_, syncs_, overheads_;
  Rows<AddedRange> causes_;
  Rows<AddedRange> ranges_, spans_;
  Rows<AddedIteration> iterations_;
  step::StepRows steps_;
  Rows<AddedOp> ops_;
  Rows<AddedAllocation> allocations_;
  std::vector<std::pair<std::string, std::string>> properties_;
  ProfiledRows profiled_;
  std::vector<AddedCollective> collectives_;
  std::map<std::int32_t, DeviceOptions> devices_;
  std::vector<AddedIssue> issues_;
  std::optional<NamedWindow> named_window_;
  std::set<ColumnId> captured_, absent_;
  std::vector<std::function<void()>> given_;  ///< by `cells`
  bool every_column_ = false;

  ColumnPool pool_;
  std::vector<std::string> strings_;
  BuiltReport built_;
};

}  // namespace assay::testing
