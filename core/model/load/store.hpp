// All data of one file, owned. Profile::View points into it.
#pragma once

#include <map>
#include <optional>

#include "load/issue.hpp"
#include "load/load.hpp"
#include "load/owned_column.hpp"
#include "load/strings.hpp"

namespace assay {
struct ColumnSpec;
struct TableSpec;
}  // namespace assay

namespace assay::load {

/// Columns common to kernels, graphs, copies, sets and synchronizations.
struct EventRows {
  OwnedColumn<std::int64_t> start, end;
  OwnedColumn<std::int32_t> device, stream;
  OwnedColumn<std::uint32_t> process;
  OwnedColumn<Row> call;
  OwnedColumn<std::int64_t> correlation;  ///< for linking; then dropped unless wanted
  OwnedColumn<std::uint32_t> ids;         ///< instead of `correlation` until linked, if all ids fit

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }

  template <class Use>
  constexpr void each(Use&& use) {
    use(start);
    use(end);
    use(device);
    use(stream);
    use(process);
    use(call);
    use(correlation);
    use(ids);
  }
};

/// Ids that link work to calls, as read: `correlation` of the rows, or `ids` if that is absent.
template <class Rows>
class CallIds {
 public:
  explicit CallIds(const Rows& rows) : rows_(rows), narrow_(!rows.correlation.present() && rows.ids.present()) {}
  [[nodiscard]] bool present() const { return narrow_ || rows_.correlation.present(); }
  std::int64_t operator[](std::size_t row) const { return narrow_ ? rows_.ids[row] : rows_.correlation[row]; }

 private:
  const Rows& rows_;
  bool narrow_;
};

// Declares the columns that a table owns by the list of report.hpp: a member each, visited by `each`. Columns needed
// only for linking are added by hand; an assertion below checks that `each` visits all.
#define ASSAY_OWNED(id, type, member, needed) OwnedColumn<type> member;
#define ASSAY_USED(id, type, member, needed) use(member);
#define ASSAY_ELSEWHERE(id, type, member, needed)
#define ASSAY_ROWS_OF(COLUMNS)                            \
  COLUMNS(ASSAY_OWNED, ASSAY_ELSEWHERE, ASSAY_ELSEWHERE)  \
  template <class Use>                                    \
  constexpr void each_listed(Use&& use) {                 \
    COLUMNS(ASSAY_USED, ASSAY_ELSEWHERE, ASSAY_ELSEWHERE) \
  }

struct KernelRows : EventRows {
  ASSAY_ROWS_OF(ASSAY_KERNEL_COLUMNS)
  OwnedColumn<std::int64_t> external_id;  ///< for linking; then dropped

  template <class Use>
  constexpr void each(Use&& use) {
    EventRows::each(use);
    each_listed(use);
    use(external_id);
  }
};

struct GraphRows : EventRows {
  ASSAY_ROWS_OF(ASSAY_GRAPH_COLUMNS)
  template <class Use>
  constexpr void each(Use&& use) {
    EventRows::each(use);
    each_listed(use);
  }
};

struct CopyRows : EventRows {
  ASSAY_ROWS_OF(ASSAY_COPY_COLUMNS)
  template <class Use>
  constexpr void each(Use&& use) {
    EventRows::each(use);
    each_listed(use);
  }
};

struct SetRows : EventRows {
  ASSAY_ROWS_OF(ASSAY_SET_COLUMNS)
  template <class Use>
  constexpr void each(Use&& use) {
    EventRows::each(use);
    each_listed(use);
  }
};

struct SyncRows : EventRows {
  ASSAY_ROWS_OF(ASSAY_SYNC_COLUMNS)
  OwnedColumn<std::int64_t> event;               ///< for linking; then dropped
  OwnedColumn<std::int64_t> record_correlation;  ///< of the recording call, for linking; then dropped
  template <class Use>
  constexpr void each(Use&& use) {
    EventRows::each(use);
    each_listed(use);
    use(event);
    use(record_correlation);
  }
};

struct OverheadRows {
  ASSAY_ROWS_OF(ASSAY_OVERHEAD_COLUMNS)
  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
  }
};

struct CauseRows {
  ASSAY_ROWS_OF(ASSAY_CAUSE_COLUMNS)
  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
  }
};

struct CallRows {
  ASSAY_ROWS_OF(ASSAY_CALL_COLUMNS)
  OwnedColumn<std::int64_t> external_id;  ///< for linking; then dropped
  OwnedColumn<std::uint32_t> ids;         ///< as in EventRows
  OwnedColumn<StringId> launched;         ///< LinkColumn::kLaunched, until tables are derived

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
    use(external_id);
    use(ids);
    use(launched);
  }
};

struct RangeRows {
  ASSAY_ROWS_OF(ASSAY_RANGE_COLUMNS)
  OwnedColumn<StringId> communicator;  ///< of the collective launched in it; then dropped
  OwnedColumn<std::int64_t> payload;   ///< bytes passed to its function; then dropped
  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
    use(communicator);
    use(payload);
  }
};

/// MPI events also have columns of their own table.
struct HostEventRows {
  ASSAY_HOST_EVENT_COLUMNS(ASSAY_OWNED, ASSAY_ELSEWHERE, ASSAY_ELSEWHERE)
  ASSAY_MPI_COLUMNS(ASSAY_OWNED, ASSAY_ELSEWHERE, ASSAY_ELSEWHERE)

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    ASSAY_HOST_EVENT_COLUMNS(ASSAY_USED, ASSAY_ELSEWHERE, ASSAY_ELSEWHERE)
    ASSAY_MPI_COLUMNS(ASSAY_USED, ASSAY_ELSEWHERE, ASSAY_ELSEWHERE)
  }
};

struct PageFaultRows {
  ASSAY_ROWS_OF(ASSAY_PAGE_FAULT_COLUMNS)
  OwnedColumn<std::int64_t> end;  ///< not in the report

  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
    use(end);
  }
};

struct OpRows {
  ASSAY_ROWS_OF(ASSAY_OP_COLUMNS)
  [[nodiscard]] std::size_t rows() const { return start.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
  }
};

struct AllocationRows {
  ASSAY_ROWS_OF(ASSAY_ALLOCATION_COLUMNS)
  OwnedColumn<std::int64_t> address;  ///< LinkColumn::kAddress, until tables are derived
  [[nodiscard]] std::size_t rows() const { return time.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
    use(address);
  }
};

struct ProfiledRows {
  ASSAY_ROWS_OF(ASSAY_PROFILED_COLUMNS)
  OwnedColumn<double> blocks, threads;  ///< where sizes are not known, for grouping
  [[nodiscard]] std::size_t rows() const { return id.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
    use(blocks);
    use(threads);
  }
};

struct CounterRows {
  ASSAY_ROWS_OF(ASSAY_COUNTER_COLUMNS)
  [[nodiscard]] std::size_t rows() const { return profiled.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
  }
};

struct CollectiveRows {
  ASSAY_ROWS_OF(ASSAY_COLLECTIVE_COLUMNS)
  [[nodiscard]] std::size_t rows() const { return kernel.values().size(); }
  template <class Use>
  constexpr void each(Use&& use) {
    each_listed(use);
  }
};

/// Cells of a column of a declared table, in the vector of their kind.
struct DeclaredCells {
  const ColumnSpec* spec = nullptr;  ///< owned by the format, which outlives the report
  OwnedColumn<std::int64_t> integers;
  OwnedColumn<double> reals;
  OwnedColumn<StringId> texts;

  /// Calls `use` with the column of its kind.
  template <class Use>
  decltype(auto) use(CellKind kind, Use&& of) {
    return kind == CellKind::kInteger ? of(integers) : kind == CellKind::kReal ? of(reals) : of(texts);
  }
};

/// A table declared by a format, as far as it is read.
struct DeclaredTableRows {
  const TableSpec* spec = nullptr;
  std::vector<DeclaredCells> columns;  ///< in the order of the spec
  std::size_t rows = 0;
};

struct DeviceRows {
  ASSAY_DEVICE_COLUMNS(ASSAY_OWNED, ASSAY_ELSEWHERE, ASSAY_ELSEWHERE)
  std::vector<std::string> names;
};
#undef ASSAY_ROWS_OF
#undef ASSAY_USED
#undef ASSAY_OWNED

/// Whether `each` visits all members of a table's rows: a forgotten column would keep its old order when rows are
/// sorted, so that its cells would belong to other rows.
template <class Rows>
constexpr bool each_uses_all() {
  Rows rows;
  std::size_t used = 0;
  rows.each([&](const auto&) { ++used; });
  return used * sizeof(OwnedColumn<Row>) == sizeof(Rows);
}
static_assert(each_uses_all<EventRows>() && each_uses_all<KernelRows>() && each_uses_all<GraphRows>());
static_assert(each_uses_all<CopyRows>() && each_uses_all<SetRows>() && each_uses_all<SyncRows>());
static_assert(each_uses_all<OverheadRows>() && each_uses_all<CauseRows>() && each_uses_all<CallRows>() &&
              each_uses_all<RangeRows>());
static_assert(each_uses_all<HostEventRows>() && each_uses_all<PageFaultRows>() && each_uses_all<OpRows>());
static_assert(each_uses_all<AllocationRows>() && each_uses_all<ProfiledRows>() && each_uses_all<CounterRows>());
static_assert(each_uses_all<CollectiveRows>());

/// Names and priorities by row of threads.
struct ThreadNameRows {
  std::vector<std::string> names;
  std::vector<std::int32_t> priorities;
};

struct Property {
  std::string name, value;
};

/// When a file was recorded, on the clock of its rows.
struct RecordedTime {
  std::int64_t begin = 0, end = 0;
};

/// Processes and threads of a capture.
class Threads {
 public:
  /// Adds a process, or a thread of a process, with the ids of the operating system.
  std::uint32_t add_process(std::int64_t id) {
    process_ids_.push_back(id);
    return static_cast<std::uint32_t>(process_ids_.size() - 1);
  }
  std::uint32_t add_thread(std::uint32_t process, std::int64_t id) {
    thread_ids_.push_back(id);
    process_of_thread_.push_back(process);
    return static_cast<std::uint32_t>(thread_ids_.size() - 1);
  }
  [[nodiscard]] std::size_t process_count() const { return process_ids_.size(); }
  [[nodiscard]] std::size_t thread_count() const { return thread_ids_.size(); }
  [[nodiscard]] std::uint32_t process_of_thread(std::uint32_t thread) const { return process_of_thread_[thread]; }
  /// Operating system ids, in row order.
  [[nodiscard]] const std::vector<std::int64_t>& process_ids() const { return process_ids_; }
  [[nodiscard]] const std::vector<std::int64_t>& thread_ids() const { return thread_ids_; }

 private:
  std::vector<std::int64_t> process_ids_, thread_ids_;
  std::vector<std::uint32_t> process_of_thread_;
};

}  // namespace assay::load

namespace assay {

struct Profile::Store {
  std::string name;
  load::StringPool strings;
  load::Threads threads;
  std::optional<load::KernelRows> kernels;
  std::optional<load::GraphRows> graphs;
  std::optional<load::CopyRows> copies;
  std::optional<load::SetRows> sets;
  std::optional<load::SyncRows> syncs;
  std::optional<load::OverheadRows> overheads;
  std::optional<load::CauseRows> causes;
  std::optional<load::CallRows> calls, repeats;
  std::optional<load::RangeRows> ranges, spans;
  std::optional<load::HostEventRows> os_calls, mpi_events, openacc_events, openmp_events;
  std::optional<load::PageFaultRows> cpu_faults, gpu_faults;
  std::optional<load::ThreadNameRows> thread_names;
  std::optional<load::OpRows> ops;
  std::optional<load::AllocationRows> allocations;
  std::optional<load::ProfiledRows> profiled;
  std::optional<load::CounterRows> counters;  ///< present exactly if `profiled` is
  std::optional<load::CollectiveRows> collectives;
  std::vector<load::Property> properties;
  load::DeviceRows devices;
  std::vector<load::DeclaredTableRows> declared;
  bool steps_asked = false;                    ///< views find the steps
  bool account_asked = false;                  ///< and account for their time
  std::vector<Row> lost_launches;              ///< calls whose kernels are missing, ascending; empty: too few to matter
  bool calls_left_out = false;                 ///< calls were not wanted, so missing calls of work mean nothing
  std::optional<load::RecordedTime> recorded;  ///< empty: not stated in the file
  std::int64_t impossible = 0;                 ///< rows dropped for impossible times
  std::int64_t doubtful_time = 0;              ///< ns of device work that contradicts itself, as the file has it
  bool times_in_doubt = false;                 ///< some rows may be impossible, depending on tables that are not wanted
  std::map<ColumnId, std::string> parts;       ///< what the file calls the rows of a table
  std::vector<load::Issue> issues;
  std::vector<std::string> notes;  ///< for the log
};

}  // namespace assay
