// The building blocks of ReportBuilder: the possible values of a row of each table, and columns that own their cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/algo/intervals.hpp"
#include "assay/detail/columns.hpp"
#include "assay/report.hpp"

namespace assay::testing {

struct Dim3 {
  std::int32_t x = 1, y = 1, z = 1;
};

/// Common to kernels, graphs, copies and sets. `call` is what `ReportBuilder::call` returned.
struct WorkOptions {
  std::int32_t device = 0, stream = 7;
  Row call = kNone;
  Membership membership = Membership::kInside;
  std::uint32_t process = 0;
  std::int32_t context = 1;  ///< of copies and sets
  /// Kinds of memory in nsys numbering (0 pageable, 1 pinned, 2 device, 4 managed), for copies; for sets only the
  /// target. The columns are present if any copy (or set) has one.
  MemoryKind source_kind = MemoryKind::kUnknown, target_kind = MemoryKind::kUnknown;
};

struct KernelOptions {
  std::int32_t device = 0, stream = 7;
  Row call = kNone;
  Membership membership = Membership::kInside;
  std::uint32_t process = 0;
  std::string short_name = {}, mangled_name = {};  ///< short name empty: the name up to '<' or '('
  std::int32_t context = 1;
  std::int64_t correlation = kNone;
  Dim3 grid = {}, block = {};                                               ///< blocks, threads
  std::int32_t registers = 32;                                              ///< per thread
  std::int32_t static_shared = 0, dynamic_shared = 0, executed_shared = 0;  ///< bytes
  std::int64_t graph_node = kNone;
  double blocks_per_sm = std::numeric_limits<double>::quiet_NaN();
  double warps_per_sm = std::numeric_limits<double>::quiet_NaN();
  double occupancy = std::numeric_limits<double>::quiet_NaN();
  std::optional<Row> op = {};  ///< what `ReportBuilder::op` returned; empty: the op of its call
  std::int32_t shared_a_block = kNone;
  Row profiled = kNone;  ///< what `ReportBuilder::profiled` returned for a launch of the same kernel and shape
};

struct CallOptions {
  std::string name = {};
  bool in_window = true;
  std::int64_t correlation = kNone;
  std::int32_t return_value = 0;
  Row twin = kNone;  ///< what `ReportBuilder::call` returned for another call of the same correlation id
};

struct RangeOptions {
  std::uint32_t thread = 0;
  std::optional<std::uint32_t> end_thread = {};  ///< empty: `thread`
  std::string domain = {};
  bool open = false;
};

struct DeviceOptions {
  std::string name = {};
  std::int32_t sm_count = kNone, compute_major = kNone, compute_minor = kNone;
  std::int32_t max_threads_per_sm = kNone, max_blocks_per_sm = kNone, max_registers_per_sm = kNone,
               max_shared_per_sm = kNone;
  std::int64_t total_memory = kNone, memory_bandwidth = kNone, clock_rate = kNone, l2_size = kNone;
};

struct CollectiveOptions {
  std::string group = {}, group_ranks = {}, dtype = {};
  std::int32_t group_size = kNone;
  std::int64_t sequence = kNone, sent = kNone, received = kNone;
};

// Rows as they were added.

struct AddedCall {
  std::int64_t start, end;
  CallKind kind;
  std::uint32_t thread;
  CallOptions options;
};
struct AddedKernel {
  std::int64_t start, end;
  std::string name;
  KernelOptions options;
};
struct AddedWork {
  std::int64_t start, end, number;  ///< graph id, bytes or type
  CopyDirection direction;
  WorkOptions options;
};
struct AddedRange {
  std::int64_t start, end;
  std::string name;
  RangeOptions options;
};
struct AddedIteration {
  std::int64_t start, end, number;
  std::uint32_t thread;
};
struct AddedIssue {
  std::string name, text;
  Severity severity;
  std::int64_t count;
};
struct AddedCollective {
  Row kernel;
  CollectiveKind kind;
  CollectiveOptions options;
};
struct NamedWindow {
  std::string name;
  Interval projected, host;
};

/// Rows of one table in the order of addition, and after `sort` in the order of the table.
template <class T>
struct Rows {
  std::vector<T> added;
  std::vector<std::size_t> order;  ///< row of the table -> index into `added`
  std::vector<Row> rows;           ///< the reverse

  /// Adds a row and returns the number of the addition. Throws std::invalid_argument if it ends before it starts.
  Row add(T value) {
    if (value.end < value.start) throw std::invalid_argument("a row ends before it starts");
    added.push_back(std::move(value));
    return static_cast<Row>(added.size() - 1);
  }
  /// Sorts by start, end, addition, and fills `order` and `rows`.
  void sort() {
    order.resize(added.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(added[a].start, added[a].end, a) < std::tuple(added[b].start, added[b].end, b);
    });
    rows.assign(added.size(), kNone);
    for (std::size_t i = 0; i < order.size(); ++i) rows[order[i]] = static_cast<Row>(i);
  }
  /// Row of the addition `number`; kNone stays kNone.
  [[nodiscard]] Row row(Row number) const {
    return number == kNone ? kNone : rows.at(static_cast<std::size_t>(number));
  }
  [[nodiscard]] const T& at(std::size_t row) const { return added[order[row]]; }
  [[nodiscard]] std::size_t size() const { return added.size(); }
};

/// Owns the cells of columns of any type.
class ColumnPool {
 public:
  /// A present column with these cells, valid until `clear`.
  template <class T>
  Column<T> keep(std::vector<T> cells) {
    static const T nothing{};  // a present column is never null
    const auto owned = std::make_shared<const std::vector<T>>(std::move(cells));
    kept_.push_back(owned);
    return {owned->empty() ? &nothing : owned->data(), owned->size()};
  }
  void clear() { kept_.clear(); }

 private:
  std::vector<std::shared_ptr<const void>> kept_;
};

/// Adds to a table, with empty cells (no_value), the missing columns for which `asked(listed)` is true.
template <class Table, class Asked>
void fill_listed(ColumnPool& pool, Table& table, Asked&& asked) {
  each_column(table, [&]<class T>(const ListedColumn& listed, Column<T>& column) {
    const auto rows = static_cast<std::size_t>(table.rows);
    if (!column.present() && asked(listed)) column = pool.keep(std::vector<T>(rows, no_value<T>()));
  });
}

/// A Report together with the tables it points to.
struct BuiltReport {
  Report report;
  Window window;
  KernelTable kernels;
  GraphTable graphs;
  CopyTable copies;
  SetTable sets;
  CallTable calls;
  RangeTable ranges, spans;
  SyncTable syncs;
  OverheadTable overheads;
  CauseTable causes;
  IterationTable iterations;
  StepTable steps;
  DeviceTable devices;
  ProcessTable processes;
  ThreadTable threads;
  IssueTable issues;
  OpTable ops;
  AllocationTable allocations;
  PropertyTable properties;
  ProfiledTable profiled;
  CounterTable counters;
  CollectiveTable collectives;
};

}  // namespace assay::testing
