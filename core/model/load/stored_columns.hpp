// Columns that a format may fill, by the list of report.hpp: their storage and cell types.
#pragma once

#include <cstddef>
#include <string_view>

#include "assay/detail/columns.hpp"
#include "load/store.hpp"

namespace assay::load {

template <class Table>
struct TableTag {};

struct StoredColumn {
  std::size_t offset = 0;  ///< of the Column in its table
  ColumnId id{};           ///< of the struct's first table (of_table converts it to another)
  std::string_view name;   ///< "grid_x"
  std::string_view type;   ///< name in the list: StringId and thread rows are the same C++ type
  bool needed = false;     ///< a core column, if it has the id of the table

  /// Whether the host computes it when tables are linked, so that no format fills it.
  [[nodiscard]] constexpr bool computed() const {
    for (const std::string_view linked : {"call", "op", "range", "twin", "parent", "depth", "reach", "record"}) {
      if (name == linked) return true;
    }
    return id == col::kernel_profiled;
  }
  [[nodiscard]] constexpr bool core() const { return of_table(id, {}) == id; }
};

// each_stored(tag, rows, use): calls use(StoredColumn, column) for every stored column.
#define ASSAY_USE_STORED(id, type, member, needed) \
  use(StoredColumn{offsetof(ListedTable, member), id, #member, #type, needed}, rows.member);
#define ASSAY_OF_THE_VIEW(id, type, member, needed)
#define ASSAY_EACH_STORED(Table, Rows, COLUMNS)                    \
  template <class Use>                                             \
  void each_stored(TableTag<Table>, Rows& rows, Use&& use) {       \
    using ListedTable = Table;                                     \
    COLUMNS(ASSAY_USE_STORED, ASSAY_USE_STORED, ASSAY_OF_THE_VIEW) \
  }
ASSAY_EACH_STORED(KernelTable, KernelRows, ASSAY_KERNEL_COLUMNS)
ASSAY_EACH_STORED(GraphTable, GraphRows, ASSAY_GRAPH_COLUMNS)
ASSAY_EACH_STORED(CopyTable, CopyRows, ASSAY_COPY_COLUMNS)
ASSAY_EACH_STORED(SetTable, SetRows, ASSAY_SET_COLUMNS)
ASSAY_EACH_STORED(SyncTable, SyncRows, ASSAY_SYNC_COLUMNS)
ASSAY_EACH_STORED(OverheadTable, OverheadRows, ASSAY_OVERHEAD_COLUMNS)
ASSAY_EACH_STORED(CauseTable, CauseRows, ASSAY_CAUSE_COLUMNS)
ASSAY_EACH_STORED(CallTable, CallRows, ASSAY_CALL_COLUMNS)
ASSAY_EACH_STORED(RangeTable, RangeRows, ASSAY_RANGE_COLUMNS)
ASSAY_EACH_STORED(OpTable, OpRows, ASSAY_OP_COLUMNS)
ASSAY_EACH_STORED(AllocationTable, AllocationRows, ASSAY_ALLOCATION_COLUMNS)
ASSAY_EACH_STORED(ProfiledTable, ProfiledRows, ASSAY_PROFILED_COLUMNS)
ASSAY_EACH_STORED(CounterTable, CounterRows, ASSAY_COUNTER_COLUMNS)
ASSAY_EACH_STORED(HostEventTable, HostEventRows, ASSAY_HOST_EVENT_COLUMNS)
ASSAY_EACH_STORED(MpiTable, HostEventRows, ASSAY_MPI_COLUMNS)
ASSAY_EACH_STORED(PageFaultTable, PageFaultRows, ASSAY_PAGE_FAULT_COLUMNS)
ASSAY_EACH_STORED(CollectiveTable, CollectiveRows, ASSAY_COLLECTIVE_COLUMNS)
#undef ASSAY_EACH_STORED
#undef ASSAY_OF_THE_VIEW
#undef ASSAY_USE_STORED

/// Calls `use(tag, id, name, rows)` for every table that a format may fill; `rows` is optional.
template <class Use>
void each_fillable(Profile::Store& store, Use&& use) {
  use(TableTag<KernelTable>{}, col::kernels, "kernels", store.kernels);
  use(TableTag<GraphTable>{}, col::graphs, "graphs", store.graphs);
  use(TableTag<CopyTable>{}, col::copies, "copies", store.copies);
  use(TableTag<SetTable>{}, col::sets, "sets", store.sets);
  use(TableTag<SyncTable>{}, col::syncs, "syncs", store.syncs);
  use(TableTag<OverheadTable>{}, col::overheads, "overheads", store.overheads);
  use(TableTag<CauseTable>{}, col::causes, "causes", store.causes);
  use(TableTag<CallTable>{}, col::calls, "calls", store.calls);
  use(TableTag<CallTable>{}, col::repeats, "repeats", store.repeats);
  use(TableTag<RangeTable>{}, col::ranges, "ranges", store.ranges);
  use(TableTag<RangeTable>{}, col::spans, "spans", store.spans);
  use(TableTag<OpTable>{}, col::ops, "ops", store.ops);
  use(TableTag<AllocationTable>{}, col::allocations, "allocations", store.allocations);
  use(TableTag<ProfiledTable>{}, col::profiled, "profiled", store.profiled);
  use(TableTag<CounterTable>{}, col::counters, "counters", store.counters);
  use(TableTag<HostEventTable>{}, col::os_calls, "os_calls", store.os_calls);
  use(TableTag<HostEventTable>{}, col::mpi_events, "mpi_events", store.mpi_events);
  use(TableTag<HostEventTable>{}, col::openacc_events, "openacc_events", store.openacc_events);
  use(TableTag<HostEventTable>{}, col::openmp_events, "openmp_events", store.openmp_events);
  use(TableTag<PageFaultTable>{}, col::cpu_faults, "cpu_faults", store.cpu_faults);
  use(TableTag<PageFaultTable>{}, col::gpu_faults, "gpu_faults", store.gpu_faults);
  use(TableTag<CollectiveTable>{}, col::collectives, "collectives", store.collectives);
}

}  // namespace assay::load
