// Dispatches, copies and allocations.
#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "assay/detail/copy_kinds.hpp"
#include "formats/rocpd/part.hpp"

namespace assay::load::rocpd {
namespace {

/// Columns common to all device work.
template <class Rows>
void push_core(ProcessData& part, Rows& rows, const EventColumns& at, std::size_t row, std::int32_t device) {
  rows.start.push(at.start[row]);
  rows.end.push(cell(at.end, row));
  rows.device.push(device);
  rows.stream.push(small(cell(at.stream, row)));
  rows.process.push(part.process);
  rows.correlation.push(part.stack_of_event(cell(at.event, row)));
}

/// Since schema 4 the track says where work ran.
void note_no_place(const ProcessData& part, const TableInfo& info, std::vector<Issue>& issues) {
  if (part.table("rocpd_info_category") != nullptr)
    note_lacking(info, {"track_id"}, issues);
  else
    note_lacking(info, {"queue_id", "stream_id"}, issues);
}

template <class Rows>
void make_present(Rows& rows, std::size_t count) {
  for (auto* column : {&rows.start, &rows.end, &rows.correlation}) column->make_present(count);
  for (auto* column : {&rows.device, &rows.stream}) column->make_present(count);
  rows.process.make_present(count);
}

/// Number of blocks for the work-items along one axis; kNone if unknown.
std::int32_t blocks(std::int64_t items, std::int64_t group) {
  return items > 0 && group > 0 ? small(items / group + (items % group != 0 ? 1 : 0)) : kNone;
}

std::vector<std::uint32_t> rows_by_start(const EventColumns& at) {
  std::vector<std::uint32_t> order(at.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return at.start[row]; });
  return order;
}

struct DispatchColumns {
  OwnedColumn<std::int64_t> kernel, dispatch, shared, grid[3], group[3], graph, graph_node;

  void request(TableLoad& table) {
    table.integers(kernel, "kernel_id", kNoValue);
    table.integers(dispatch, "dispatch_id", kNoValue);
    table.integers(shared, "group_segment_size", kNoValue);
    table.integers(graph, "graph_exec_id", kNoValue);
    table.integers(graph_node, "graph_node_id", kNoValue);
    constexpr std::string_view kGrid[] = {"grid_size_x", "grid_size_y", "grid_size_z"},
                               kGroup[] = {"workgroup_size_x", "workgroup_size_y", "workgroup_size_z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      table.integers(grid[axis], kGrid[axis], kNoValue);
      table.integers(group[axis], kGroup[axis], kNoValue);
    }
  }
};

CopyDirection direction_of(std::string_view name) {
  const auto ends = [&](std::string_view words) { return name.ends_with(words); };
  if (ends("HOST_TO_DEVICE")) return CopyDirection::kHostToDevice;
  if (ends("DEVICE_TO_HOST")) return CopyDirection::kDeviceToHost;
  if (ends("DEVICE_TO_DEVICE")) return CopyDirection::kDeviceToDevice;
  return ends("HOST_TO_HOST") ? CopyDirection::kHostToHost : CopyDirection::kUnknown;
}

/// If the name does not contain the direction, the agents determine it; between two GPUs it is peer to peer.
CopyDirection direction_of(std::string_view name, std::optional<Agent> from, std::optional<Agent> to) {
  CopyDirection told = direction_of(name);
  if (told == CopyDirection::kUnknown && from && to) {
    told = from->gpu ? (to->gpu ? CopyDirection::kDeviceToDevice : CopyDirection::kDeviceToHost)
                     : (to->gpu ? CopyDirection::kHostToDevice : CopyDirection::kHostToHost);
  }
  const bool two = from && to && from->gpu && to->gpu && from->device != to->device;
  return told == CopyDirection::kDeviceToDevice && two ? CopyDirection::kPeerToPeer : told;
}

/// Makes the columns present that `wanted` names, and with `counters` those that group counters: name and shape.
void make_kernels_present(formats::RowWriter<KernelTable>& rows, const WantedColumns& wanted, bool counters,
                          std::size_t count) {
  constexpr ColumnId kOfCounters[] = {col::kernel_name, col::kernel_grid, col::kernel_block};
  const auto want = [&](ColumnId id, auto&... column) {
    const bool groups = counters && std::ranges::find(kOfCounters, id) != std::end(kOfCounters);
    if (groups || wanted.column(id)) (column.make_present(count), ...);
  };
  want(col::kernel_name, rows.name);
  want(col::kernel_short_name, rows.short_name);
  want(col::kernel_mangled_name, rows.mangled_name);
  want(col::kernel_grid, rows.grid_x, rows.grid_y, rows.grid_z);
  want(col::kernel_block, rows.block_x, rows.block_y, rows.block_z);
  want(col::kernel_registers, rows.registers);
  want(col::kernel_shared, rows.static_shared, rows.dynamic_shared, rows.executed_shared);
  want(col::kernel_graph_node, rows.graph_node);
}

/// Whether the grid and the blocks have all sizes; otherwise the grid is unknown.
bool push_shape(formats::RowWriter<KernelTable>& rows, const DispatchColumns& columns, std::size_t row) {
  std::int32_t grid[3], group[3];
  bool whole = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    group[axis] = small(cell(columns.group[axis], row));
    grid[axis] = blocks(cell(columns.grid[axis], row), group[axis]);
    whole = whole && grid[axis] != kNone;
  }
  rows.grid_x.push_if_present(whole ? grid[0] : kNone);
  rows.grid_y.push_if_present(whole ? grid[1] : kNone);
  rows.grid_z.push_if_present(whole ? grid[2] : kNone);
  rows.block_x.push_if_present(group[0]);
  rows.block_y.push_if_present(group[1]);
  rows.block_z.push_if_present(group[2]);
  return whole && std::ranges::find(group, kNone) == std::end(group);
}

/// `shared`: the value in the dispatch, which includes static shared memory of the code.
void push_shared(formats::RowWriter<KernelTable>& rows, const KernelSymbol& symbol, std::int32_t shared) {
  const bool both = shared != kNone && symbol.static_shared != kNone && shared >= symbol.static_shared;
  rows.static_shared.push_if_present(symbol.static_shared);
  rows.dynamic_shared.push_if_present(both ? shared - symbol.static_shared : kNone);
  rows.executed_shared.push_if_present(shared);
}

}  // namespace

void read_dispatches(ProcessData& part, std::vector<Issue>& issues) {
  const TableInfo* info = part.table("rocpd_kernel_dispatch");
  if (info == nullptr || !(info->has("start_id") || has_columns(*info, {"start"}, issues))) return;
  EventColumns at;
  DispatchColumns columns;
  TableLoad table(part.source, *info);
  table.never_null({"agent_id", "queue_id", "stream_id", "track_id", "kernel_id", "dispatch_id", "workgroup_size_x",
                    "workgroup_size_y", "workgroup_size_z", "grid_size_x", "grid_size_y", "grid_size_z"});
  note_lacking(*info, {"dispatch_id"}, issues);
  note_no_place(part, *info, issues);
  at.request(table);
  columns.request(table);
  table.run(issues);
  at.resolve(part, *info, issues);
  if (at.rows() == 0 && !part.file.traced.kernels) return;
  auto& rows = part.file.kernels;
  const std::size_t first = rows.start.size();
  make_present(rows, first + at.rows());
  const WantedColumns& wanted = part.source.wanted;
  const bool counters =
      wanted.table(col::profiled) || wanted.table(col::counters) || wanted.column(col::kernel_profiled);
  make_kernels_present(rows, wanted, counters, first + at.rows());
  std::int64_t last_id = kNoValue, nameless = 0, of_no_agent = 0, of_no_event = 0, odd = 0;
  KernelSymbol symbol;
  for (std::size_t row = 0; row < at.rows(); ++row) {
    const std::int64_t id = cell(columns.kernel, row);
    if (id != last_id || row == 0) {
      const auto found = part.symbols.find(id);
      symbol = found == part.symbols.end() ? KernelSymbol{} : found->second;
      last_id = id;
    }
    nameless += symbol.name == 0 ? 1 : 0;
    const std::int64_t agent_id = cell(at.agent, row);
    const Agent agent = part.agent(agent_id);
    of_no_agent += agent.gpu && agent.described ? 0 : 1;
    of_no_event += part.has_event(cell(at.event, row)) ? 0 : 1;
    push_core(part, rows, at, row, agent.gpu ? agent.device : add_unknown_device(part, agent_id));
    rows.name.push_if_present(part.file.id(symbol.name));
    rows.short_name.push_if_present(part.file.id(symbol.short_name));
    rows.mangled_name.push_if_present(part.file.id(symbol.mangled_name));
    const bool has_shape = push_shape(rows, columns, row);
    const std::int64_t stream = cell(at.stream, row);
    odd += !has_shape || (stream != kNoValue && small(stream) == kNone) ? 1 : 0;
    rows.registers.push_if_present(symbol.registers);
    push_shared(rows, symbol, small(cell(columns.shared, row)));
    rows.graph_node.push_if_present(cell(columns.graph, row) > 0 ? cell(columns.graph_node, row) : std::int64_t{kNone});
  }
  note_lost(issues, "missing_names", nameless, info->name, "run a kernel that rocpd_info_kernel_symbol does not name",
            "they count as unnamed");
  note_lost(issues, "bad_cells", odd, info->name, "have a stream, grid or group that is no size or number",
            "they are unknown");
  note_lost(issues, "missing_devices", of_no_agent, info->name, "ran on agents that rocpd_info_agent does not describe",
            "nothing is known of these devices but their numbers");
  note_lost(issues, "missing_references", of_no_event, info->name, "refer to no event that rocpd_event holds",
            "what launched them is unknown");
  if (counters) read_counters(part, first, at.event.values(), columns.dispatch.values(), issues);
}

void read_copies(ProcessData& part, std::vector<Issue>& issues) {
  const TableInfo* info = part.table("rocpd_memory_copy");
  if (info == nullptr || !(info->has("start_id") || has_columns(*info, {"start"}, issues))) return;
  EventColumns at;
  OwnedColumn<std::int64_t> name, from, to, size;
  TableLoad table(part.source, *info);
  table.never_null({"name_id", "size", "track_id"});
  note_lacking(*info, {"size"}, issues);
  note_no_place(part, *info, issues);
  at.request(table);
  table.integers(name, "name_id", kNoValue);
  table.integers(size, "size", kNoValue);
  table.integers(from, "src_agent_id", kNoValue);
  table.integers(to, "dst_agent_id", kNoValue);
  table.run(issues);
  at.resolve(part, *info, issues);
  if (at.rows() == 0 && !part.file.traced.copies) return;
  auto& rows = part.file.copies;
  make_present(rows, rows.start.size() + at.rows());
  const WantedColumns& wanted = part.source.wanted;
  if (wanted.column(col::copy_bytes)) rows.bytes.make_present();
  if (wanted.column(col::copy_direction)) {
    rows.direction.make_present();
    rows.kind.make_present();
  }
  const auto agent = [&](const OwnedColumn<std::int64_t>& column, std::size_t row) {
    const auto found = part.agents.find(cell(column, row));
    return found == part.agents.end() ? std::nullopt : std::optional(found->second);
  };
  std::int64_t of_no_direction = 0, of_no_event = 0, of_no_device = 0;
  for (std::size_t row = 0; row < at.rows(); ++row) {
    const std::optional<Agent> source = agent(from, row), target = agent(to, row);
    const CopyDirection direction = direction_of(part.file.texts[part.string(cell(name, row))], source, target);
    const std::int32_t device = target && target->gpu && direction != CopyDirection::kDeviceToHost ? target->device
                                : source && source->gpu                                            ? source->device
                                                        : part.agent(cell(at.agent, row)).device;
    push_core(part, rows, at, row, device);
    of_no_device += device == kNone && direction != CopyDirection::kHostToHost ? 1 : 0;
    of_no_direction += direction == CopyDirection::kUnknown ? 1 : 0;
    of_no_event += part.has_event(cell(at.event, row)) ? 0 : 1;
    const std::int64_t bytes = cell(size, row);
    rows.bytes.push_if_present(bytes == kNoValue ? std::int64_t{kNone} : bytes);
    rows.direction.push_if_present(direction);
    rows.kind.push_if_present(copy_kind_of(direction));
  }
  note_lost(issues, "missing_names", of_no_direction, info->name, "have neither a known name nor known agents",
            "their direction is unknown");
  note_lost(issues, "missing_devices", of_no_device, info->name, "name no GPU as an agent",
            "where they ran is unknown");
  note_lost(issues, "missing_references", of_no_event, info->name, "refer to no event that rocpd_event holds",
            "what launched them is unknown");
}

void read_allocations(ProcessData& part, std::vector<Issue>& issues) {
  const TableInfo* info = part.table("rocpd_memory_allocate");
  if (info == nullptr || !(info->has("start_id") || has_columns(*info, {"start"}, issues))) return;
  EventColumns at;
  OwnedColumn<std::int64_t> address, size;
  OwnedColumn<StringId> type, level;
  StringPool words;
  TableLoad table(part.source, *info);
  table.never_null({"size"});
  note_lacking(*info, {"size"}, issues);
  at.request(table);
  table.integers(address, "address", kNoValue);
  table.integers(size, "size", kNoValue);
  table.texts(type, "type", ids_in(words));
  table.texts(level, "level", ids_in(words));
  table.run(issues);
  at.resolve(part, *info, issues);
  if (at.rows() == 0 && !part.file.traced.allocations) return;
  auto& rows = part.file.allocations;
  for (auto* column : {&rows.time, &rows.bytes, &rows.allocated, &rows.reserved}) column->make_present();
  rows.device.make_present();
  rows.thread.make_present();
  std::int64_t untimed = 0, of_no_type = 0, odd = 0;
  std::unordered_map<std::int64_t, std::int64_t> held;  // bytes by address: a free has no size
  for (const std::uint32_t row : rows_by_start(at)) {
    const std::string_view what = type.present() ? words[type[row]] : std::string_view();
    const std::string_view where = level.present() ? words[level[row]] : std::string_view();
    if (where == "VIRTUAL" || where == "SCRATCH") continue;
    const std::int64_t said = cell(size, row);
    odd += said != kNoValue && (said < 0 || said > kMaxInAll) ? 1 : 0;
    of_no_type += what.empty() || where.empty() ? 1 : 0;
    if (!is_time(at.start[row])) {
      ++untimed;
      continue;
    }
    std::int64_t bytes = std::clamp<std::int64_t>(said, 0, kMaxInAll);
    if (what == "FREE") {
      const auto known = held.find(cell(address, row));
      if (bytes == 0 && known == held.end()) continue;
      bytes = -(bytes > 0 ? bytes : known->second);
      if (known != held.end()) held.erase(known);
    } else if (what == "ALLOC") {
      held[cell(address, row)] = bytes;
    } else {
      continue;
    }
    rows.time.push(at.start[row]);
    rows.device.push(part.agent(cell(at.agent, row)).device);
    rows.bytes.push(bytes);
    rows.allocated.push(kNone);
    rows.reserved.push(kNone);
    rows.thread.push(part.thread(cell(at.thread, row)));
  }
  note_lost(issues, "bad_cells", odd, info->name, "have a size that no device has", "what is allocated is unknown");
  note_lost(issues, "no_start", untimed, info->name, "have no start time", "they are left out");
  note_lost(issues, "missing_cells", of_no_type, info->name, "do not say what they do or with which memory",
            "what is allocated is unknown");
}

}  // namespace assay::load::rocpd
