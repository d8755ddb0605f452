// Kernels, graph launches, copies, sets and synchronisations.
#include <fmt/core.h>

#include <algorithm>
#include <compare>

#include "assay/detail/copy_kinds.hpp"
#include "formats/nsys/read_tables.hpp"

namespace assay::load {
namespace {

template <class Rows>
void request_core(TableLoad& table, Rows& rows) {
  table.integers(rows.start, "start", kNoValue);
  table.integers(rows.end, "end", kNoValue);
  table.numbers_or_none(rows.device, "deviceId");
  table.numbers_or_none(rows.stream, "streamId");
  table.processes(rows.process, "globalPid");
  table.call_ids(rows.narrow, rows.wide, "correlationId");
}

/// nsys writes 0 if there is no green context.
void green_contexts(TableLoad& table, formats::ColumnWriter<std::int32_t>& to) {
  table.made(to, "greenContextId", [](std::int64_t cell) {
    const bool none = cell <= 0 || cell > std::numeric_limits<std::int32_t>::max();
    return none ? kNone : static_cast<std::int32_t>(cell);
  });
}

/// One such row leaves the bytes and bandwidth of all of its kind unknown.
void note_sizes(const formats::ColumnWriter<std::int64_t>& bytes, const TableInfo& table, std::vector<Issue>& issues) {
  const std::int64_t none = std::ranges::count(bytes.values(), std::int64_t{kNone});
  if (none == 0 || !table.has("bytes")) return;
  issues.push_back({"missing_bytes", Severity::kWarning, none,
                    fmt::format("{} rows of {} have no size or one below 0, so the bytes and bandwidth of their kind "
                                "are not known.",
                                none, table.name)});
}

void note_columns(const LinkedRows<KernelTable>& /*rows*/, const TableInfo& table, std::vector<Issue>& issues) {
  // nsys writes all of these; other tools with this format write none.
  if (table.has("registersPerThread") || table.has("staticSharedMemory") || table.has("dynamicSharedMemory"))
    note_lacking(table, {"registersPerThread", "staticSharedMemory", "dynamicSharedMemory"}, issues);
  if (table.has("demangledName") || table.has("shortName")) note_lacking(table, {"demangledName", "shortName"}, issues);
}
void note_columns(const LinkedRows<CopyTable>& rows, const TableInfo& table, std::vector<Issue>& issues) {
  note_lacking(table, {"bytes", "copyKind"}, issues);
  note_sizes(rows.bytes, table, issues);
}
void note_columns(const LinkedRows<SetTable>& rows, const TableInfo& table, std::vector<Issue>& issues) {
  note_lacking(table, {"bytes"}, issues);
  note_sizes(rows.bytes, table, issues);
}
void note_columns(const LinkedRows<SyncTable>& /*rows*/, const TableInfo& table, std::vector<Issue>& issues) {
  note_lacking(table, {"syncType"}, issues);
}
void note_columns(const LinkedRows<GraphTable>& /*rows*/, const TableInfo& /*table*/, std::vector<Issue>& /*issues*/) {}

/// Reads one event table; `request` adds its own columns. Its rows stay absent if the file has no such table.
template <class Rows, class Request>
void read_events(NsysTables& to, Rows& rows, std::string_view name, Request request) {
  const Schema& schema = to.source.schema;
  const TableInfo* info = schema.find(name);
  if (info == nullptr || !has_columns(*info, {"start"}, to.issues)) return;
  note_lacking(*info, {"end", "deviceId", "streamId", "correlationId"}, to.issues);
  for (const char* other : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY"}) {
    const TableInfo* beside = schema.find(other);
    if (beside == nullptr || !beside->has("globalPid")) continue;
    note_lacking(*info, {"globalPid"}, to.issues);
    break;
  }
  TableLoad table(to.source, *info);
  request_core(table, rows);
  request(table, *info);
  table.run(to.issues);
  note_columns(rows, *info, to.issues);
  const std::size_t count = rows.start.size();
  if (!rows.device.present()) rows.device.assign(count, kNone);
  if (!rows.stream.present()) rows.stream.assign(count, kNone);
  if (!rows.process.present()) rows.process.assign(count, kNoProcess);
  to.out.read_from(rows.table, info->name);
}

/// Sum of static and dynamic shared memory, if the export has both.
void add_shared_a_block(LinkedRows<KernelTable>& rows) {
  if (!rows.static_shared.present() || !rows.dynamic_shared.present()) return;
  rows.shared_a_block.resize(rows.start.size());
  const auto sum_of = [](std::int32_t fixed, std::int32_t dynamic) {
    const std::int64_t sum = std::int64_t{fixed} + dynamic;
    const bool said = fixed >= 0 && dynamic >= 0 && sum <= std::numeric_limits<std::int32_t>::max();
    return said ? static_cast<std::int32_t>(sum) : kNone;
  };
  std::ranges::transform(rows.static_shared.values(), rows.dynamic_shared.values(),
                         rows.shared_a_block.values().begin(), sum_of);
}

void read_overheads(NsysTables& to) {
  const TableInfo* info = to.source.schema.find("PROFILER_OVERHEAD");
  if (!to.source.wanted.table(col::overheads) || info == nullptr || !has_columns(*info, {"start"}, to.issues)) return;
  note_lacking(*info, {"end", "globalTid", "nameId"}, to.issues);
  TableLoad table(to.source, *info);
  table.integers(to.overheads.start, "start", kNoValue);
  table.integers(to.overheads.end, "end", kNoValue);
  table.processes(to.overheads.process, "globalTid");
  if (to.source.wanted.column(col::overhead_name)) table.string_keys(to.overheads.name, "nameId");
  table.run(to.issues);
  if (!to.overheads.process.present()) to.overheads.process.assign(to.overheads.start.size(), kNoProcess);
  to.out.read_from(col::overheads, info->name);
}

/// For each synchronisation with an event: the id of the last call that recorded it, and the stream. CUPTI numbers the
/// calls of a process in ascending order, so that call has the largest smaller id.
void find_records(NsysTables& to, const OwnedColumn<std::int64_t>& events) {
  LinkedRows<SyncTable>& syncs = to.syncs;
  const std::size_t rows = syncs.start.size();
  formats::ColumnWriter<std::int64_t> recorded_by(to.out, col::syncs, LinkColumn::kRecordedBy);
  recorded_by.assign(rows, 0);
  syncs.record_stream.assign(rows, kNone);
  struct Record {
    std::uint32_t process;
    std::int64_t event, call;
    std::int32_t stream;
    auto operator<=>(const Record&) const = default;
  };
  std::vector<Record> records;
  const TableInfo* info = to.source.schema.find("CUPTI_ACTIVITY_KIND_CUDA_EVENT");
  if (info != nullptr && info->has("eventId") && info->has("correlationId") && events.present()) {
    OwnedColumn<std::uint32_t> process;
    OwnedColumn<std::int64_t> event, call;
    OwnedColumn<std::int32_t> stream;
    TableLoad table(to.source, *info);
    table.integers(event, "eventId", kNoValue);
    table.integers(call, "correlationId", 0);
    table.numbers_or_none(stream, "streamId");
    table.processes(process, "globalPid");
    table.run(to.issues);
    for (std::size_t r = 0; r < event.size(); ++r)
      records.push_back({process.present() ? process[r] : kUnknown, event[r], call[r],
                         stream.present() ? stream[r] : std::int32_t{kNone}});
    std::sort(records.begin(), records.end());
  }
  for (std::size_t s = 0; s < rows && !records.empty() && syncs.narrow.present(); ++s) {
    if (events[s] == kNoValue) continue;
    const std::int64_t id = syncs.wide.present() ? syncs.wide[s] : std::int64_t{syncs.narrow[s]};
    const Record wanted{syncs.process[s], events[s], id, kNone};
    const auto after = std::lower_bound(records.begin(), records.end(), wanted);
    if (after == records.begin()) continue;
    const Record& last = *std::prev(after);
    if (last.process != wanted.process || last.event != wanted.event) continue;
    recorded_by.values()[s] = last.call;
    syncs.record_stream.values()[s] = last.stream;
  }
}

void request_kernels(TableLoad& table, const TableInfo& info, NsysTables& to) {
  const WantedColumns& wanted = to.source.wanted;
  LinkedRows<KernelTable>& rows = to.kernels;
  if (wanted.column(col::kernel_name)) table.string_keys(rows.name, "demangledName");
  if (wanted.column(col::kernel_short_name)) table.string_keys(rows.short_name, "shortName");
  if (wanted.column(col::kernel_mangled_name)) table.string_keys(rows.mangled_name, "mangledName");
  if (wanted.column(col::kernel_context)) table.numbers_or_none(rows.context, "contextId");
  if (wanted.column(col::kernel_grid) &&
      has_all(info, {"gridX", "gridY", "gridZ"}, "gridX, gridY and gridZ", to.issues)) {
    table.integers(rows.grid_x, "gridX");
    table.integers(rows.grid_y, "gridY");
    table.integers(rows.grid_z, "gridZ");
  }
  if (wanted.column(col::kernel_block) &&
      has_all(info, {"blockX", "blockY", "blockZ"}, "blockX, blockY and blockZ", to.issues)) {
    table.numbers_or_none(rows.block_x, "blockX");
    table.numbers_or_none(rows.block_y, "blockY");
    table.numbers_or_none(rows.block_z, "blockZ");
  }
  if (wanted.column(col::kernel_green_context)) green_contexts(table, rows.green_context);
  if (wanted.column(col::kernel_registers)) table.numbers_or_none(rows.registers, "registersPerThread");
  if (wanted.column(col::kernel_shared) || wanted.column(col::kernel_shared_a_block)) {
    table.numbers_or_none(rows.static_shared, "staticSharedMemory");
    table.numbers_or_none(rows.dynamic_shared, "dynamicSharedMemory");
  }
  if (wanted.column(col::kernel_shared)) table.numbers_or_none(rows.executed_shared, "sharedMemoryExecuted");
  if (wanted.column(col::kernel_graph_node)) {
    // 0 or NULL for kernels not launched by a graph.
    table.made(rows.graph_node, "graphNodeId",
               [](std::int64_t node) { return node == kNoValue || node == 0 ? std::int64_t{kNone} : node; });
  }
}

void request_copies(TableLoad& table, const TableInfo& info, NsysTables& to) {
  const WantedColumns& wanted = to.source.wanted;
  LinkedRows<CopyTable>& rows = to.copies;
  if (wanted.column(col::copy_memory_kinds) && info.has("srcKind") != info.has("dstKind"))
    note_lacking(info, {"srcKind", "dstKind"}, to.issues);
  if (wanted.column(col::copy_bytes)) table.integers(rows.bytes, "bytes");
  if (wanted.column(col::copy_context)) table.numbers_or_none(rows.context, "contextId");
  if (wanted.column(col::copy_green_context)) green_contexts(table, rows.green_context);
  if (wanted.column(col::copy_address)) table.integers(rows.address, "virtualAddress");
  if (wanted.column(col::copy_memory_kinds)) {
    table.memory_kinds(rows.source_kind, "srcKind");
    table.memory_kinds(rows.target_kind, "dstKind");
  }
  if (wanted.column(col::copy_direction)) {
    table.made(rows.direction, "copyKind", &direction_of_copy_kind);
    table.numbers_or_none(rows.kind, "copyKind");
  }
}

void request_sets(TableLoad& table, NsysTables& to) {
  const WantedColumns& wanted = to.source.wanted;
  LinkedRows<SetTable>& rows = to.sets;
  if (wanted.column(col::set_context)) table.numbers_or_none(rows.context, "contextId");
  if (wanted.column(col::set_green_context)) green_contexts(table, rows.green_context);
  if (wanted.column(col::set_memory_kind)) table.memory_kinds(rows.memory_kind, "memKind");
  if (wanted.column(col::set_bytes)) table.integers(rows.bytes, "bytes");
}

}  // namespace

void read_kernels(NsysTables& to) {
  if (!to.source.wanted.table(col::kernels)) return;
  read_events(to, to.kernels, "CUPTI_ACTIVITY_KIND_KERNEL",
              [&](TableLoad& table, const TableInfo& info) { request_kernels(table, info, to); });
  if (to.source.wanted.column(col::kernel_shared_a_block)) add_shared_a_block(to.kernels);
}

void read_other_work(NsysTables& to) {
  const WantedColumns& wanted = to.source.wanted;
  if (wanted.table(col::graphs)) {
    read_events(to, to.graphs, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", [&](TableLoad& table, const TableInfo&) {
      if (wanted.column(col::graph_id)) table.long_numbers(to.graphs.graph, "graphId", kNone);
    });
  }
  if (wanted.table(col::copies)) {
    read_events(to, to.copies, "CUPTI_ACTIVITY_KIND_MEMCPY",
                [&](TableLoad& table, const TableInfo& info) { request_copies(table, info, to); });
  }
  if (wanted.table(col::sets)) {
    read_events(to, to.sets, "CUPTI_ACTIVITY_KIND_MEMSET",
                [&](TableLoad& table, const TableInfo&) { request_sets(table, to); });
  }
  if (wanted.table(col::syncs)) {
    const bool records = wanted.column(col::sync_record);
    OwnedColumn<std::int64_t> events;
    read_events(to, to.syncs, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", [&](TableLoad& table, const TableInfo&) {
      table.numbers_or_none(to.syncs.type, "syncType");
      if (records) table.integers(events, "eventId", kNoValue);
    });
    if (to.syncs.start.present() && records) find_records(to, events);
  }
  read_overheads(to);
}

}  // namespace assay::load
