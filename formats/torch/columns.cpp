#include "formats/torch/columns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "assay/detail/communication.hpp"
#include "assay/detail/copy_kinds.hpp"
#include "formats/torch/number.hpp"
#include "load/names.hpp"

namespace assay::load {
namespace {

/// A 32-bit cell; missing values and values that do not fit become kNone. Profilers also write -1 as the largest
/// unsigned number.
std::int32_t small(std::int64_t value) {
  const bool fits =
      value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
  return fits ? static_cast<std::int32_t>(value) : kNone;
}

std::int64_t or_none(std::int64_t value) { return value == Args::kAbsent ? kNone : value; }

/// Whether a number may be a correlation id: profilers count from 0 or 1.
bool is_link(std::int64_t correlation) { return correlation >= 0 && correlation <= std::int64_t{1} << 53; }

/// Estimated occupancy is at most 1 up to rounding.
constexpr double kMaxOccupancy = 2;

template <class T>
void append_if(OwnedColumn<T>& column, bool wanted, T value) {
  if (!wanted) return;
  if (!column.present()) column.make_present(0);
  column.push(value);
}

/// As put, for the row added last; the column starts with the first row that has a value.
void append_last(OwnedColumn<MemoryKind>& column, const EventRows& rows, MemoryKind value) {
  if (!column.present() && value == MemoryKind::kUnknown) return;
  if (!column.present()) column.assign(rows.rows() - 1, MemoryKind::kUnknown);
  column.push(value);
}

/// The entry of `table` at `at`, growing it if needed.
template <class T>
T& entry(std::vector<T>& table, std::size_t at, T fresh) {
  if (at >= table.size()) table.resize(std::max(at + 1, 2 * table.size()), fresh);
  return table[at];
}

/// The number at the end of "stream 7" or "7".
std::int64_t trailing_number(std::string_view text) {
  const std::size_t at = text.find_last_of(' ');
  const std::string_view number = at == std::string_view::npos ? text : text.substr(at + 1);
  return parse_decimal(number).value_or(parse_handle(number).value_or(Args::kAbsent));
}

}  // namespace

TraceWants::TraceWants(const WantedColumns& wanted)
    : kernels(wanted.table(col::kernels) || wanted.table(col::declared)),
      copies(wanted.table(col::copies)),
      sets(wanted.table(col::sets)),
      syncs(wanted.table(col::syncs)),
      overheads(wanted.table(col::overheads)),
      allocations(wanted.table(col::allocations) || wanted.table(col::declared)),
      op_links(wanted.column(col::kernel_op) || wanted.column(col::call_op)),
      collectives(wanted.table(col::collectives)),
      messages(wanted.table(col::declared)),
      intervals(wanted.table(col::declared)) {
  calls = kernels || copies || sets || syncs || wanted.table(col::calls);
  ops = op_links || intervals || wanted.table(col::ops) || wanted.table(col::causes);
}

TraceColumns::TraceColumns(Profile::Store& store, const WantedColumns& wanted)
    : store_(store), wanted_(wanted), wants_(wanted), hosts_(store.threads), names_(store.strings) {
  store.ranges.emplace();
}

std::int64_t TraceColumns::read() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

bool TraceColumns::wants_args(Category category) const {
  switch (category) {
    case Category::kKernel:
      return wants_.kernels;
    case Category::kCopy:
      return wants_.copies;
    case Category::kSet:
      return wants_.sets;
    case Category::kSync:
      return wants_.syncs;
    case Category::kCall:
      return wants_.calls;
    case Category::kOperator:
    case Category::kAnnotation:
      return wants_.op_links || wanted_.column(col::op_external_id) || wants_inputs() || wants_sequences() ||
             wants_.messages;
    case Category::kPythonFunction:
      return wanted_.column(col::op_python_ids);
    default:
      return false;
  }
}

bool TraceColumns::wants_inputs() const {
  return wanted_.column(col::op_inputs) || wanted_.column(col::op_concrete_inputs);
}

bool TraceColumns::wants_sequences() const { return wanted_.column(col::op_sequence); }

TraceColumns::Times TraceColumns::times_of(const Event& event) {
  const std::optional<std::int64_t> start = parse_time(event.time), duration = parse_duration(event.duration);
  if (!start || !is_time(*start)) return {kNoValue, kNoValue};
  if (*start == 0)
    zero_ = true;
  else
    origin_ = std::min(origin_, *start);
  std::int64_t end = kNoValue;
  if (!duration || __builtin_add_overflow(*start, *duration, &end)) end = kNoValue;
  return {*start, end};
}

void TraceColumns::add_issues(std::vector<Issue>& issues) const {
  const auto add = [&](const char* name, std::int64_t events, std::string_view what, std::string_view so) {
    if (events == 0) return;
    issues.push_back({name, Severity::kError, events,
                      fmt::format("{} events {}, so {}; export the trace again.", events, what, so)});
  };
  add("missing_names", lacking_.names, "have no name", "what they are is unknown, and launches count as other calls");
  add("missing_cells", lacking_.threads, "on the host name no process or thread", "they count as of one thread");
  add("missing_cells", lacking_.devices, "on a device name no device or a stream that cannot be",
      "where they ran is unknown");
  add("missing_cells", lacking_.copy_sizes, "copy or set an unknown number of bytes", "bandwidths are wrong");
  add("bad_cells", lacking_.numbers, "have words or impossible sizes where a number belongs",
      "what depends on them is unknown");
  const auto add_some = [&](const Lacking::Some& some, std::string_view what, std::string_view so) {
    if (some.have > 0) add("missing_cells", some.lack, what, so);
  };
  add_some(lacking_.shapes, "are kernels without a grid, a block or registers, which others have",
           "what depends on them is unknown");
  add_some(lacking_.work_links, "on a device have no correlation id, or one that cannot be",
           "what launched them is unknown");
  add_some(lacking_.call_links, "are calls without a correlation id, or with one that cannot be",
           "what they launched is unknown");
  add_some(lacking_.host_ids, "on the host name a process or thread that is no number",
           "they count as of a thread of their own");
}

void TraceColumns::on_event(const Event& event) {
  ++counts_[static_cast<std::size_t>(event.category)];
  lacking_.numbers += event.args.odd ? 1 : 0;
  if (event.category != Category::kMemory) lacking_.names += event.name.empty() ? 1 : 0;
  if (event.category == Category::kMemory) {
    if (wants_.allocations) add_allocation(event);
    return;
  }
  const Times times = times_of(event);
  switch (event.category) {
    case Category::kKernel:
      if (wants_.kernels) add_kernel(event, times);
      break;
    case Category::kCopy:
      if (wants_.copies) add_copy(event, times);
      break;
    case Category::kSet:
      if (wants_.sets) add_set(event, times);
      break;
    case Category::kSync:
      if (wants_.syncs) add_sync(event, times);
      break;
    case Category::kCall:
      if (wants_.calls) add_call(event, times);
      break;
    case Category::kOperator:
      if (is_annotation(event.name)) add_range(event, times);
      if (wants_.messages && event.name == kCommunicationCall) add_message(event, times);
      if (wants_.messages && !event.args.kernel_file.empty()) add_generated_launch(event);
      if (wants_.ops) add_op(event, times, is_annotation(event.name) ? OpKind::kAnnotation : OpKind::kOperator);
      break;
    case Category::kAnnotation:
      add_range(event, times);
      if (wants_.ops) add_op(event, times, OpKind::kAnnotation);
      break;
    case Category::kPythonFunction:
      if (wants_.ops) add_op(event, times, OpKind::kPythonFunction);
      break;
    case Category::kOverhead:
      if (wants_.overheads) add_overhead(times);
      break;
    default:
      break;
  }
}

void TraceColumns::add_core(EventRows& rows, const Event& event, Times times) {
  const Args& args = event.args;
  append_if(rows.start, true, times.start);
  append_if(rows.end, true, times.end);
  append_if(rows.device, true, small(args.device != Args::kAbsent ? args.device : trailing_number(event.process)));
  append_if(rows.stream, true, stream_of(event));
  const bool odd_stream = args.stream != Args::kAbsent && args.stream != small(args.stream) && !args.has_handle;
  lacking_.devices += rows.device[rows.rows() - 1] < 0 || odd_stream ? 1 : 0;
  append_if(rows.process, true, hosts_.rank(event.process));  // corrected when processes are assigned
  append_if(rows.correlation, true, args.correlation == Args::kAbsent ? 0 : args.correlation);
  // Copies of MTIA are requests of the device, which no call makes.
  if (event.category != Category::kSync && args.direction.empty()) lacking_.work_links.note(is_link(args.correlation));
}

std::int32_t TraceColumns::stream_of(const Event& event) {
  const bool said = event.args.stream != Args::kAbsent;
  const std::int64_t stream = said ? event.args.stream : trailing_number(event.thread);
  const bool is_handle = said ? event.args.has_handle : event.thread.find("0x") != std::string_view::npos;
  if (!is_handle) return small(stream);
  return queues_.try_emplace(stream, static_cast<std::int32_t>(queues_.size() + 1)).first->second;
}

StringId TraceColumns::short_name(StringId name) {
  StringId& known = entry(short_names_, name, StringId{0});
  if (known == 0 && name != 0) known = store_.strings.intern(std::string(base_name(store_.strings[name])));
  return known;
}

void TraceColumns::add_kernel(const Event& event, Times times) {
  if (!store_.kernels) store_.kernels.emplace();
  KernelRows& rows = *store_.kernels;
  const Args& args = event.args;
  add_core(rows, event, times);
  if (wants_.messages) add_message(event, times);
  if (wanted_.column(col::kernel_name) || wanted_.column(col::kernel_short_name) || wants_.collectives) {
    const StringId name = names_.intern(event.name);
    if (wants_.collectives) add_collective(rows, name, args);
    append_if(rows.name, wanted_.column(col::kernel_name), name);
    if (wanted_.column(col::kernel_short_name)) append_if(rows.short_name, true, short_name(name));
  }
  append_if(rows.context, wanted_.column(col::kernel_context), small(args.context));
  const bool whole = args.grid[0] != Args::kAbsent && args.block[0] != Args::kAbsent &&
                     small(args.registers) != kNone && small(args.shared) != kNone;
  lacking_.shapes.note(whole);
  const bool grid = wanted_.column(col::kernel_grid), block = wanted_.column(col::kernel_block);
  append_if(rows.grid_x, grid, small(args.grid[0]));
  append_if(rows.grid_y, grid, small(args.grid[1]));
  append_if(rows.grid_z, grid, small(args.grid[2]));
  append_if(rows.block_x, block, small(args.block[0]));
  append_if(rows.block_y, block, small(args.block[1]));
  append_if(rows.block_z, block, small(args.block[2]));
  append_if(rows.registers, wanted_.column(col::kernel_registers), small(args.registers));
  append_if(rows.shared_a_block, wanted_.column(col::kernel_shared_a_block), small(args.shared));
  append_if(rows.graph_node, wanted_.column(col::kernel_graph_node),
            args.graph_node == 0 ? std::int64_t{kNone} : or_none(args.graph_node));
  append_if(rows.blocks_per_sm, wanted_.column(col::kernel_blocks_per_sm), args.blocks_per_sm);
  append_if(rows.warps_per_sm, wanted_.column(col::kernel_warps_per_sm), args.warps_per_sm);
  lacking_.numbers += args.occupancy < 0 || args.occupancy > kMaxOccupancy ? 1 : 0;
  append_if(rows.occupancy, wanted_.column(col::kernel_occupancy), args.occupancy);
  // Some traces of 2022 use the correlation id as External id, which has no meaning among operators.
  append_if(rows.external_id, wanted_.column(col::kernel_op),
            args.external_id == args.correlation ? std::int64_t{kNone} : or_none(args.external_id));
}

void TraceColumns::add_collective(KernelRows& kernels, StringId name, const Args& args) {
  std::uint8_t& known = entry(communicate_, name, std::uint8_t{0});
  if (known == 0) known = communicates(store_.strings[name]) ? 2 : 1;
  if (!store_.collectives) store_.collectives.emplace().each([](auto& column) { column.make_present(0); });
  const bool is_one = known == 2 || !args.collective.empty();
  CollectiveRows& rows = *store_.collectives;
  append_if(kernels.collective, true, is_one ? static_cast<Row>(rows.rows()) : kNone);
  if (!is_one) return;
  CollectiveKind kind = collective_kind(args.collective);
  if (kind == CollectiveKind::kUnknown) kind = collective_kind(store_.strings[name]);
  rows.kernel.push(kNone);  // set when kernels are sorted
  rows.kind.push(kind);
  rows.group.push(store_.strings.intern(unescaped(args.group)));
  rows.group_ranks.push(store_.strings.intern(rank_list(unescaped(args.group_ranks))));
  rows.group_size.push(small(args.group_size));
  rows.sequence.push(or_none(args.sequence));
  rows.sent.push(bytes_of(args.elements_in, args.dtype));
  rows.received.push(bytes_of(args.elements_out, args.dtype));
  rows.dtype.push(store_.strings.intern(unescaped(args.dtype)));
}

void TraceColumns::add_copy(const Event& event, Times times) {
  if (!store_.copies) store_.copies.emplace();
  CopyRows& rows = *store_.copies;
  add_core(rows, event, times);
  lacking_.copy_sizes += event.args.bytes < 0 ? 1 : 0;
  append_if(rows.bytes, wanted_.column(col::copy_bytes), or_none(event.args.bytes));
  append_if(rows.context, wanted_.column(col::copy_context), small(event.args.context));
  if (wanted_.column(col::copy_memory_kinds)) {
    const MemoryKinds kinds = memory_kinds_of(event.name);
    append_last(rows.source_kind, rows, kinds.source);
    append_last(rows.target_kind, rows, kinds.target);
  }
  if (!wanted_.column(col::copy_direction)) return;
  const std::string_view said = event.args.direction;
  const CopyDirection direction = direction_of_copy(said.empty() ? event.name : said);
  append_if(rows.direction, true, direction);
  append_if(rows.kind, true, copy_kind_of(direction));
}

void TraceColumns::add_set(const Event& event, Times times) {
  if (!store_.sets) store_.sets.emplace();
  SetRows& rows = *store_.sets;
  add_core(rows, event, times);
  lacking_.copy_sizes += event.args.bytes < 0 ? 1 : 0;
  append_if(rows.bytes, wanted_.column(col::set_bytes), or_none(event.args.bytes));
  append_if(rows.context, wanted_.column(col::set_context), small(event.args.context));
  if (wanted_.column(col::set_memory_kind)) append_last(rows.memory_kind, rows, memory_kinds_of(event.name).target);
}

void TraceColumns::add_sync(const Event& event, Times times) {
  if (!store_.syncs) store_.syncs.emplace();
  add_core(*store_.syncs, event, times);
  SyncRows& rows = *store_.syncs;
  append_if(rows.type, true, sync_type_of(event.name));
  if (!wanted_.column(col::sync_record)) return;
  append_if(rows.record_correlation, true, event.args.record_call == Args::kAbsent ? 0 : event.args.record_call);
  append_if(rows.record_stream, true, small(event.args.record_stream));
}

void TraceColumns::add_call(const Event& event, Times times) {
  if (!store_.calls) store_.calls.emplace();
  CallRows& rows = *store_.calls;
  const StringId written = names_.intern(event.name);
  CallName& call = entry(call_names_, written, CallName());
  if (!call.known) {
    const std::string name(without_version(store_.strings[written]));
    call = {store_.strings.intern(name), kind_of_call(name), true};
  }
  append_if(rows.start, true, times.start);
  append_if(rows.end, true, times.end);
  append_if(rows.thread, true, thread_of(event));
  append_if(rows.kind, true, call.kind);
  append_if(rows.name, wanted_.column(col::call_name), call.name);
  append_if(rows.correlation, true, event.args.correlation == Args::kAbsent ? 0 : event.args.correlation);
  lacking_.call_links.note(is_link(event.args.correlation));
  append_if(rows.external_id, wants_.op_links, or_none(event.args.external_id));
  if (!wants_.messages) return;
  const bool launch = call.kind == CallKind::kKernelLaunch && !event.args.kernel.empty();
  append_if(rows.full_name, true, launch ? names_.intern(event.args.kernel) : StringId{0});
}

std::uint32_t TraceColumns::thread_of(const Event& event) {
  lacking_.threads += event.process.empty() || event.thread.empty() ? 1 : 0;
  const std::uint32_t row = hosts_.thread(event.process, event.thread);
  if (event.category != Category::kPythonFunction)
    lacking_.host_ids.note(store_.threads.thread_ids()[row] != kNone &&
                           store_.threads.process_ids()[store_.threads.process_of_thread(row)] != kNone);
  return row;
}

/// JSON is kept verbatim: the interned names would lose its escapes.
StringId TraceColumns::json(std::string_view text) {
  return text.find('\\') == std::string_view::npos ? names_.intern(text) : store_.strings.intern(text);
}

void TraceColumns::add_op(const Event& event, Times times, OpKind kind) {
  if (!store_.ops) store_.ops.emplace();
  OpRows& rows = *store_.ops;
  const bool python = kind == OpKind::kPythonFunction;
  append_if(rows.start, true, times.start);
  append_if(rows.end, true, times.end);
  append_if(rows.name, true, names_.intern(event.name));
  append_if(rows.thread, true, thread_of(event));
  append_if(rows.kind, true, kind);
  append_if(rows.external_id, wants_.op_links || wanted_.column(col::op_external_id),
            python ? std::int64_t{kNone} : or_none(event.args.external_id));
  const bool ids = wanted_.column(col::op_python_ids);
  append_if(rows.python_id, ids, or_none(event.args.python_id));
  append_if(rows.python_parent, ids, or_none(event.args.python_parent));
  append_if(rows.python_module, ids, or_none(event.args.python_module));
  if (wanted_.column(col::op_inputs)) {
    append_if(rows.input_dims, true, json(event.args.input_dims));
    append_if(rows.input_types, true, json(event.args.input_types));
    append_if(rows.input_strides, true, json(event.args.input_strides));
  }
  if (wanted_.column(col::op_concrete_inputs)) append_if(rows.concrete_inputs, true, json(event.args.concrete_inputs));
  const bool sequences = wants_sequences();
  append_if(rows.sequence, sequences, or_none(event.args.sequence_number));
  append_if(rows.forward_thread, sequences, or_none(event.args.forward_thread));
}

void TraceColumns::add_range(const Event& event, Times times) {
  RangeRows& rows = *store_.ranges;
  const std::uint32_t thread = thread_of(event);
  append_if(rows.start, true, times.start);
  append_if(rows.end, true, times.end);
  append_if(rows.name, true, names_.intern(event.name));
  append_if(rows.domain, true, StringId{0});
  append_if(rows.thread, true, thread);
  append_if(rows.end_thread, true, thread);
  append_if(rows.open, true, std::uint8_t{0});
}

void TraceColumns::add_overhead(Times times) {
  if (!store_.overheads) store_.overheads.emplace();
  OverheadRows& rows = *store_.overheads;
  append_if(rows.start, true, times.start);
  append_if(rows.end, true, times.end);
  append_if(rows.process, true, kUnknown);
}

void TraceColumns::add_allocation(const Event& event) {
  if (!store_.allocations) store_.allocations.emplace();
  AllocationRows& rows = *store_.allocations;
  constexpr std::int64_t kHostMemory = 0;  // c10::DeviceType
  append_if(rows.time, true, parse_time(event.time).value_or(kNoValue));
  append_if(rows.device, true, event.args.device_type == kHostMemory ? kNone : small(event.args.device));
  lacking_.numbers += event.args.device != Args::kAbsent && event.args.device != small(event.args.device) ? 1 : 0;
  append_if(rows.bytes, true, event.args.bytes == Args::kAbsent ? 0 : event.args.bytes);
  const auto total = [&](std::int64_t bytes) {
    lacking_.numbers += bytes != Args::kAbsent && (bytes < 0 || bytes > kMaxInAll) ? 1 : 0;
    return bytes >= 0 && bytes <= kMaxInAll ? bytes : std::int64_t{kNone};
  };
  append_if(rows.allocated, true, total(event.args.allocated));
  append_if(rows.reserved, true, total(event.args.reserved));
  append_if(rows.thread, true, thread_of(event));
  append_if(rows.address, wants_.intervals, event.args.address == Args::kAbsent ? kNoCell : event.args.address);
}

}  // namespace assay::load
