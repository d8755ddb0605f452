// Kernels, graph launches, copies, sets and synchronisations.
#include <algorithm>
#include <compare>

#include "assay/detail/copy_kinds.hpp"
#include "formats/nsys/read_tables.hpp"
#include "load/names.hpp"

namespace assay::load {
namespace {

void request_core(TableLoad& table, EventRows& rows) {
  table.integers(rows.start, "start", kNoValue);
  table.integers(rows.end, "end", kNoValue);
  table.numbers_or_none(rows.device, "deviceId");
  table.numbers_or_none(rows.stream, "streamId");
  table.processes(rows.process, "globalPid");
  table.call_ids(rows, "correlationId");
}

/// nsys writes 0 if there is no green context.
void green_contexts(TableLoad& table, OwnedColumn<std::int32_t>& to) {
  table.made(to, "greenContextId", [](std::int64_t cell) {
    const bool none = cell <= 0 || cell > std::numeric_limits<std::int32_t>::max();
    return none ? kNone : static_cast<std::int32_t>(cell);
  });
}

/// Adds the columns that every event table of the report model must have.
void complete_core(EventRows& rows) {
  const std::size_t count = rows.rows();
  if (!rows.device.present()) rows.device.assign(count, kNone);
  if (!rows.stream.present()) rows.stream.assign(count, kNone);
  if (!rows.process.present()) rows.process.assign(count, kUnknown);
}

/// Drops shapes with a missing component.
void complete(KernelRows& rows, const TableInfo& table, std::vector<Issue>& issues) {
  // nsys writes all of these; other tools with this format write none.
  if (table.has("registersPerThread") || table.has("staticSharedMemory") || table.has("dynamicSharedMemory"))
    note_lacking(table, {"registersPerThread", "staticSharedMemory", "dynamicSharedMemory"}, issues);
  if (table.has("demangledName") || table.has("shortName")) note_lacking(table, {"demangledName", "shortName"}, issues);
  keep_all_or_none({&rows.grid_x, &rows.grid_y, &rows.grid_z}, "gridX, gridY and gridZ", table, issues);
  keep_all_or_none({&rows.block_x, &rows.block_y, &rows.block_z}, "blockX, blockY and blockZ", table, issues);
}
/// One such row leaves the bytes and bandwidth of all of its kind unknown.
void note_sizes(const OwnedColumn<std::int64_t>& bytes, const TableInfo& table, std::vector<Issue>& issues) {
  const std::int64_t none = bytes.present() ? std::ranges::count(bytes.values(), std::int64_t{kNone}) : 0;
  if (none == 0 || !table.has("bytes")) return;
  issues.push_back({"missing_bytes", Severity::kWarning, none,
                    fmt::format("{} rows of {} have no size or one below 0, so the bytes and bandwidth of their kind "
                                "are not known.",
                                none, table.name)});
}
void complete(const CopyRows& rows, const TableInfo& table, std::vector<Issue>& issues) {
  note_lacking(table, {"bytes", "copyKind"}, issues);
  note_sizes(rows.bytes, table, issues);
}
void complete(const SetRows& rows, const TableInfo& table, std::vector<Issue>& issues) {
  note_lacking(table, {"bytes"}, issues);
  note_sizes(rows.bytes, table, issues);
}
void complete(const SyncRows& /*rows*/, const TableInfo& table, std::vector<Issue>& issues) {
  note_lacking(table, {"syncType"}, issues);
}
void complete(const GraphRows& /*rows*/, const TableInfo& /*table*/, std::vector<Issue>& /*issues*/) {}

/// Reads one event table; `request` adds its own columns. Empty if the file has no such table.
template <class Rows, class Request>
std::optional<Rows> read_events(const Source& source, std::string_view name, std::vector<Issue>& issues,
                                Request request) {
  const TableInfo* info = source.schema.find(name);
  if (info == nullptr) return std::nullopt;
  std::optional<Rows> rows(std::in_place);
  if (!has_columns(*info, {"start"}, issues)) return std::nullopt;
  note_lacking(*info, {"end", "deviceId", "streamId", "correlationId"}, issues);
  for (const char* other : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY"}) {
    const TableInfo* beside = source.schema.find(other);
    if (beside == nullptr || !beside->has("globalPid")) continue;
    note_lacking(*info, {"globalPid"}, issues);
    break;
  }
  TableLoad table(source, *info);
  request_core(table, *rows);
  request(table, *rows);
  table.run(issues);
  complete(*rows, *info, issues);
  complete_core(*rows);
  clean_and_sort(*rows, info->name, issues);
  return rows;
}

/// Sum of static and dynamic shared memory, if the export has both.
void add_shared_a_block(KernelRows& rows) {
  if (!rows.static_shared.present() || !rows.dynamic_shared.present()) return;
  rows.shared_a_block.make_present(rows.rows());
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::int64_t fixed = rows.static_shared[row], dynamic = rows.dynamic_shared[row], sum = fixed + dynamic;
    const bool said = fixed >= 0 && dynamic >= 0 && sum <= std::numeric_limits<std::int32_t>::max();
    rows.shared_a_block.push(said ? static_cast<std::int32_t>(sum) : kNone);
  }
}

void read_overheads(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  const TableInfo* info = source.schema.find("PROFILER_OVERHEAD");
  if (!source.wanted.table(col::overheads) || info == nullptr || !has_columns(*info, {"start"}, issues)) return;
  note_lacking(*info, {"end", "globalTid", "nameId"}, issues);
  OverheadRows& rows = store.overheads.emplace();
  TableLoad table(source, *info);
  table.integers(rows.start, "start", kNoValue);
  table.integers(rows.end, "end", kNoValue);
  table.processes(rows.process, "globalTid");
  if (source.wanted.column(col::overhead_name)) table.string_keys(rows.name, "nameId");
  table.run(issues);
  if (!rows.process.present()) rows.process.assign(rows.rows(), kUnknown);
  clean_and_sort(rows, info->name, issues);
}

/// For each synchronisation with an event: the id of the last call that recorded it, and the stream. CUPTI numbers the
/// calls of a process in ascending order, so that call has the largest smaller id.
void find_records(const Source& source, SyncRows& syncs, std::vector<Issue>& issues) {
  const std::size_t rows = syncs.rows();
  syncs.record_correlation.assign(rows, 0);
  syncs.record_stream.assign(rows, kNone);
  struct Record {
    std::uint32_t process;
    std::int64_t event, call;
    std::int32_t stream;
    auto operator<=>(const Record&) const = default;
  };
  std::vector<Record> records;
  const TableInfo* info = source.schema.find("CUPTI_ACTIVITY_KIND_CUDA_EVENT");
  if (info != nullptr && info->has("eventId") && info->has("correlationId") && syncs.event.present()) {
    OwnedColumn<std::uint32_t> process;
    OwnedColumn<std::int64_t> event, call;
    OwnedColumn<std::int32_t> stream;
    TableLoad table(source, *info);
    table.integers(event, "eventId", kNoValue);
    table.integers(call, "correlationId", std::int64_t{0});
    table.numbers_or_none(stream, "streamId");
    table.processes(process, "globalPid");
    table.run(issues);
    for (std::size_t r = 0; r < event.values().size(); ++r)
      records.push_back({process.present() ? process[r] : kUnknown, event[r], call[r],
                         stream.present() ? stream[r] : std::int32_t{kNone}});
    std::sort(records.begin(), records.end());
  }
  const CallIds ids(syncs);
  for (std::size_t s = 0; s < rows && !records.empty() && ids.present(); ++s) {
    if (syncs.event[s] == kNoValue) continue;
    const Record wanted{syncs.process[s], syncs.event[s], ids[s], kNone};
    const auto after = std::lower_bound(records.begin(), records.end(), wanted);
    if (after == records.begin()) continue;
    const Record& last = *std::prev(after);
    if (last.process != wanted.process || last.event != wanted.event) continue;
    syncs.record_correlation.values()[s] = last.call;
    syncs.record_stream.values()[s] = last.stream;
  }
  syncs.event.drop();
}

}  // namespace

void read_kernels(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  if (!source.wanted.table(col::kernels)) return;
  const WantedColumns& wanted = source.wanted;
  store.kernels =
      read_events<KernelRows>(source, "CUPTI_ACTIVITY_KIND_KERNEL", issues, [&](TableLoad& table, KernelRows& rows) {
        if (wanted.column(col::kernel_name)) table.string_keys(rows.name, "demangledName");
        if (wanted.column(col::kernel_short_name)) table.string_keys(rows.short_name, "shortName");
        if (wanted.column(col::kernel_mangled_name)) table.string_keys(rows.mangled_name, "mangledName");
        if (wanted.column(col::kernel_context)) table.numbers_or_none(rows.context, "contextId");
        if (wanted.column(col::kernel_grid)) {
          table.integers(rows.grid_x, "gridX");
          table.integers(rows.grid_y, "gridY");
          table.integers(rows.grid_z, "gridZ");
        }
        if (wanted.column(col::kernel_block)) {
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
      });
  if (store.kernels && wanted.column(col::kernel_shared_a_block)) add_shared_a_block(*store.kernels);
}

void read_other_work(const Source& source, Profile::Store& store, std::vector<Issue>& issues) {
  const WantedColumns& wanted = source.wanted;
  if (wanted.table(col::graphs)) {
    store.graphs = read_events<GraphRows>(source, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", issues,
                                          [&](TableLoad& table, GraphRows& rows) {
                                            if (wanted.column(col::graph_id))
                                              table.long_numbers(rows.graph, "graphId", kNone);
                                          });
  }
  if (wanted.table(col::copies)) {
    const TableInfo* info = source.schema.find("CUPTI_ACTIVITY_KIND_MEMCPY");
    if (info != nullptr && wanted.column(col::copy_memory_kinds) && info->has("srcKind") != info->has("dstKind"))
      note_lacking(*info, {"srcKind", "dstKind"}, issues);
    store.copies =
        read_events<CopyRows>(source, "CUPTI_ACTIVITY_KIND_MEMCPY", issues, [&](TableLoad& table, CopyRows& rows) {
          if (wanted.column(col::copy_bytes)) table.integers(rows.bytes, "bytes");
          if (wanted.column(col::copy_context)) table.numbers_or_none(rows.context, "contextId");
          if (wanted.column(col::copy_green_context)) green_contexts(table, rows.green_context);
          if (wanted.column(col::copy_address)) table.integers(rows.address, "virtualAddress", std::int64_t{kNone});
          if (wanted.column(col::copy_memory_kinds)) {
            table.memory_kinds(rows.source_kind, "srcKind");
            table.memory_kinds(rows.target_kind, "dstKind");
          }
          if (wanted.column(col::copy_direction)) {
            table.made(rows.direction, "copyKind", &direction_of_copy_kind);
            table.numbers_or_none(rows.kind, "copyKind");
          }
        });
  }
  if (wanted.table(col::sets)) {
    store.sets =
        read_events<SetRows>(source, "CUPTI_ACTIVITY_KIND_MEMSET", issues, [&](TableLoad& table, SetRows& rows) {
          if (wanted.column(col::set_context)) table.numbers_or_none(rows.context, "contextId");
          if (wanted.column(col::set_green_context)) green_contexts(table, rows.green_context);
          if (wanted.column(col::set_memory_kind)) table.memory_kinds(rows.memory_kind, "memKind");
          if (wanted.column(col::set_bytes)) table.integers(rows.bytes, "bytes");
        });
  }
  if (wanted.table(col::syncs)) {
    const bool records = wanted.column(col::sync_record);
    store.syncs = read_events<SyncRows>(source, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", issues,
                                        [&](TableLoad& table, SyncRows& rows) {
                                          table.numbers_or_none(rows.type, "syncType");
                                          if (records) table.integers(rows.event, "eventId", kNoValue);
                                        });
    if (store.syncs && records) find_records(source, *store.syncs, issues);
  }
  read_overheads(source, store, issues);
}

}  // namespace assay::load
