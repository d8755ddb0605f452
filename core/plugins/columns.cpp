#include "plugins/columns.hpp"

#include <algorithm>

namespace assay {
namespace {

template <auto Table>
bool has_table(const Report& report) {
  return report.*Table != nullptr;
}

template <auto Table, auto... Columns>
bool has(const Report& report) {
  const auto* table = report.*Table;
  return table != nullptr && ((table->*Columns).present() && ...);
}

/// Core columns of the tables whose rows ran on a device.
template <auto Table>
bool has_event_core(const Report& report) {
  const auto* t = report.*Table;
  return t != nullptr && t->start.present() && t->end.present() && t->device.present() && t->stream.present() &&
         t->process.present() && t->call.present() && t->membership.present();
}

template <auto Table>
bool has_range_core(const Report& report) {
  const auto* t = report.*Table;
  return t != nullptr && t->start.present() && t->end.present() && t->name.present() && t->thread.present() &&
         t->end_thread.present() && t->open.present() && t->parent.present() && t->depth.present();
}

template <auto Table>
bool has_host_core(const Report& report) {
  const auto* t = report.*Table;
  return t != nullptr && t->start.present() && t->end.present() && t->name.present() && t->thread.present();
}

template <auto Table>
constexpr ColumnInfo column(ColumnId id, std::string_view name, std::string_view table,
                            bool (*has_column)(const Report&)) {
  return {id, name, table, &has_table<Table>, has_column};
}

constexpr auto kernel = [](ColumnId id, std::string_view name, bool (*has_column)(const Report&)) {
  return column<&Report::kernels>(id, name, "kernel table", has_column);
};
constexpr auto call = [](ColumnId id, std::string_view name, bool (*has_column)(const Report&)) {
  return column<&Report::calls>(id, name, "API call table", has_column);
};
constexpr auto copy = [](ColumnId id, std::string_view name, bool (*has_column)(const Report&)) {
  return column<&Report::copies>(id, name, "copy table", has_column);
};

using K = KernelTable;
using C = CallTable;
using O = OpTable;

constexpr ColumnInfo kColumns[] = {
    kernel(col::kernels, "kernels", &has_event_core<&Report::kernels>),
    kernel(col::kernel_name, "kernels.name", &has<&Report::kernels, &K::name>),
    kernel(col::kernel_short_name, "kernels.short_name", &has<&Report::kernels, &K::short_name>),
    kernel(col::kernel_mangled_name, "kernels.mangled_name", &has<&Report::kernels, &K::mangled_name>),
    kernel(col::kernel_context, "kernels.context", &has<&Report::kernels, &K::context>),
    kernel(col::kernel_correlation, "kernels.correlation", &has<&Report::kernels, &K::correlation>),
    kernel(col::kernel_grid, "kernels.grid", &has<&Report::kernels, &K::grid_x, &K::grid_y, &K::grid_z>),
    kernel(col::kernel_block, "kernels.block", &has<&Report::kernels, &K::block_x, &K::block_y, &K::block_z>),
    kernel(col::kernel_registers, "kernels.registers", &has<&Report::kernels, &K::registers>),
    kernel(col::kernel_shared, "kernels.shared",
           &has<&Report::kernels, &K::static_shared, &K::dynamic_shared, &K::executed_shared>),
    kernel(col::kernel_graph_node, "kernels.graph_node", &has<&Report::kernels, &K::graph_node>),
    kernel(col::kernel_blocks_per_sm, "kernels.blocks_per_sm", &has<&Report::kernels, &K::blocks_per_sm>),
    kernel(col::kernel_warps_per_sm, "kernels.warps_per_sm", &has<&Report::kernels, &K::warps_per_sm>),
    kernel(col::kernel_occupancy, "kernels.occupancy", &has<&Report::kernels, &K::occupancy>),
    kernel(col::kernel_op, "kernels.op", &has<&Report::kernels, &K::op>),
    kernel(col::kernel_shared_a_block, "kernels.shared_a_block", &has<&Report::kernels, &K::shared_a_block>),
    kernel(col::kernel_profiled, "kernels.profiled", &has<&Report::kernels, &K::profiled>),
    kernel(col::kernel_green_context, "kernels.green_context", &has<&Report::kernels, &K::green_context>),
    column<&Report::graphs>(col::graphs, "graphs", "graph launch table", &has_event_core<&Report::graphs>),
    column<&Report::graphs>(col::graph_id, "graphs.graph", "graph launch table",
                            &has<&Report::graphs, &GraphTable::graph>),
    copy(col::copies, "copies", &has_event_core<&Report::copies>),
    copy(col::copy_bytes, "copies.bytes", &has<&Report::copies, &CopyTable::bytes>),
    copy(col::copy_direction, "copies.direction", &has<&Report::copies, &CopyTable::direction>),
    copy(col::copy_context, "copies.context", &has<&Report::copies, &CopyTable::context>),
    copy(col::copy_correlation, "copies.correlation", &has<&Report::copies, &CopyTable::correlation>),
    copy(col::copy_memory_kinds, "copies.memory_kinds",
         &has<&Report::copies, &CopyTable::source_kind, &CopyTable::target_kind>),
    copy(col::copy_green_context, "copies.green_context", &has<&Report::copies, &CopyTable::green_context>),
    copy(col::copy_address, "copies.address", &has<&Report::copies, &CopyTable::address>),
    column<&Report::sets>(col::sets, "sets", "memory set table", &has_event_core<&Report::sets>),
    column<&Report::sets>(col::set_bytes, "sets.bytes", "memory set table", &has<&Report::sets, &SetTable::bytes>),
    column<&Report::sets>(col::set_context, "sets.context", "memory set table",
                          &has<&Report::sets, &SetTable::context>),
    column<&Report::sets>(col::set_correlation, "sets.correlation", "memory set table",
                          &has<&Report::sets, &SetTable::correlation>),
    column<&Report::sets>(col::set_memory_kind, "sets.memory_kind", "memory set table",
                          &has<&Report::sets, &SetTable::memory_kind>),
    column<&Report::sets>(col::set_green_context, "sets.green_context", "memory set table",
                          &has<&Report::sets, &SetTable::green_context>),
    call(col::calls, "calls", &has<&Report::calls, &C::start, &C::end, &C::thread, &C::kind, &C::in_window>),
    call(col::call_name, "calls.name", &has<&Report::calls, &C::name>),
    call(col::call_range, "calls.range", &has<&Report::calls, &C::range>),
    call(col::call_correlation, "calls.correlation", &has<&Report::calls, &C::correlation>),
    call(col::call_return_value, "calls.return_value", &has<&Report::calls, &C::return_value>),
    call(col::call_twin, "calls.twin", &has<&Report::calls, &C::twin>),
    call(col::call_op, "calls.op", &has<&Report::calls, &C::op>),
    call(col::call_full_name, "calls.full_name", &has<&Report::calls, &C::full_name>),
    column<&Report::ranges>(col::ranges, "ranges", "table of push/pop NVTX ranges", &has_range_core<&Report::ranges>),
    column<&Report::ranges>(col::range_row_id, "ranges.row_id", "table of push/pop NVTX ranges",
                            &has<&Report::ranges, &RangeTable::row_id>),
    column<&Report::spans>(col::spans, "spans", "table of start/end NVTX ranges", &has_range_core<&Report::spans>),
    column<&Report::spans>(col::span_row_id, "spans.row_id", "table of start/end NVTX ranges",
                           &has<&Report::spans, &RangeTable::row_id>),
    column<&Report::syncs>(col::syncs, "syncs", "synchronization table",
                           &has<&Report::syncs, &SyncTable::start, &SyncTable::end>),
    column<&Report::iterations>(
        col::iterations, "iterations", "range that [iterations] names",
        &has<&Report::iterations, &IterationTable::number, &IterationTable::start, &IterationTable::end>),
    column<&Report::devices>(col::devices, "devices", "device table", &has<&Report::devices, &DeviceTable::id>),
    column<&Report::overheads>(
        col::overheads, "overheads", "table of the profiler's own overhead",
        &has<&Report::overheads, &OverheadTable::start, &OverheadTable::end, &OverheadTable::process>),
    column<&Report::overheads>(col::overhead_name, "overheads.name", "table of the profiler's own overhead",
                               &has<&Report::overheads, &OverheadTable::name>),
    column<&Report::ops>(col::ops, "ops", "operator table",
                         &has<&Report::ops, &O::start, &O::end, &O::name, &O::thread, &O::kind, &O::parent, &O::depth>),
    column<&Report::ops>(col::op_external_id, "ops.external_id", "operator table", &has<&Report::ops, &O::external_id>),
    column<&Report::ops>(col::op_python_ids, "ops.python_ids", "operator table",
                         &has<&Report::ops, &O::python_id, &O::python_parent, &O::python_module>),
    column<&Report::allocations>(
        col::allocations, "allocations", "allocation table",
        &has<&Report::allocations, &AllocationTable::time, &AllocationTable::device, &AllocationTable::bytes>),
    column<&Report::properties>(col::properties, "properties", "property table",
                                &has<&Report::properties, &PropertyTable::name, &PropertyTable::value>),
    column<&Report::profiled>(col::profiled, "profiled", "table of kernels profiled by Nsight Compute",
                              &has<&Report::profiled, &ProfiledTable::short_name, &ProfiledTable::group>),
    column<&Report::counters>(col::counters, "counters", "counter table of Nsight Compute",
                              &has<&Report::counters, &CounterTable::profiled, &CounterTable::value>),
    column<&Report::repeats>(col::repeats, "repeats", "table of calls listed a second time",
                             &has<&Report::repeats, &C::start, &C::end, &C::thread, &C::in_window>),
    column<&Report::os_calls>(col::os_calls, "os_calls", "table of operating system calls",
                              &has_host_core<&Report::os_calls>),
    column<&Report::mpi_events>(col::mpi_events, "mpi_events", "table of MPI events",
                                &has_host_core<&Report::mpi_events>),
    column<&Report::openacc_events>(col::openacc_events, "openacc_events", "table of OpenACC events",
                                    &has_host_core<&Report::openacc_events>),
    column<&Report::openmp_events>(col::openmp_events, "openmp_events", "table of OpenMP events",
                                   &has_host_core<&Report::openmp_events>),
    column<&Report::cpu_faults>(col::cpu_faults, "cpu_faults", "table of page faults of the CPU",
                                &has<&Report::cpu_faults, &PageFaultTable::start, &PageFaultTable::address>),
    column<&Report::gpu_faults>(
        col::gpu_faults, "gpu_faults", "table of page faults of GPUs",
        &has<&Report::gpu_faults, &PageFaultTable::start, &PageFaultTable::address, &PageFaultTable::count>),
    column<&Report::threads>(col::thread_names, "thread_names", "table of threads",
                             &has<&Report::threads, &ThreadTable::name, &ThreadTable::priority>),
};
static_assert(std::is_sorted(std::begin(kColumns), std::end(kColumns),
                             [](const ColumnInfo& a, const ColumnInfo& b) { return a.id < b.id; }));

}  // namespace

std::span<const ColumnInfo> column_infos() { return kColumns; }

const ColumnInfo* find_column(ColumnId id) {
  const ColumnInfo* at = std::lower_bound(std::begin(kColumns), std::end(kColumns), id,
                                          [](const ColumnInfo& a, ColumnId b) { return a.id < b; });
  return at != std::end(kColumns) && at->id == id ? at : nullptr;
}

std::string missing_need(const Report& report, ColumnId need) {
  const ColumnInfo* info = find_column(need);
  if (info == nullptr) return "needs a column that this host does not know";
  const std::string needs = "needs " + std::string(info->name) + ": ";
  if (!info->has_table(report)) return needs + "this report has no " + std::string(info->table);
  if (info->has_column(report)) return {};
  const std::size_t dot = info->name.find('.');
  const std::string what = dot == std::string_view::npos
                               ? "lacks one of its core columns"
                               : "has no column '" + std::string(info->name.substr(dot + 1)) + "'";
  return needs + "the " + std::string(info->table) + " of this report " + what;
}

}  // namespace assay
