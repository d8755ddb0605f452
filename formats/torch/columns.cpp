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

TraceColumns::TraceColumns(TableSink& out) : out_(out), tables_(out), hosts_(out), names_(out), causes_(out) {
  const bool of_ops = wants_.external_ids || wants_inputs() || wants_.sequences || wants_.declared;
  for (const auto& [category, wanted] :
       {std::pair(Category::kKernel, wants_.kernels), std::pair(Category::kCopy, wants_.copies),
        std::pair(Category::kSet, wants_.sets), std::pair(Category::kSync, wants_.syncs),
        std::pair(Category::kCall, wants_.calls), std::pair(Category::kOperator, of_ops),
        std::pair(Category::kAnnotation, of_ops), std::pair(Category::kPythonFunction, wants_.python_ids)})
    args_[static_cast<std::size_t>(category)] = wanted;
}

std::int64_t TraceColumns::read() const { return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}); }

std::int64_t TraceColumns::origin() const {
  const std::int64_t first = zero_ && origin_ < kEpochTimes ? std::min(origin_, std::int64_t{0}) : origin_;
  return is_time(first) ? first : 0;
}

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

void TraceColumns::add_issues() const {
  const auto add = [&](const char* name, std::int64_t events, std::string_view what, std::string_view so) {
    if (events == 0) return;
    out_.issue(name, Severity::kError, events,
               fmt::format("{} events {}, so {}; export the trace again.", events, what, so));
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
  const auto is = [&](Category category, bool wanted) { return wanted && event.category == category; };
  if (is(Category::kKernel, wants_.kernels)) return add_kernel(event, times);
  if (is(Category::kCopy, wants_.copies)) return add_copy(event, times);
  if (is(Category::kSet, wants_.sets)) return add_set(event, times);
  if (is(Category::kSync, wants_.syncs)) return add_sync(event, times);
  if (is(Category::kCall, wants_.calls)) return add_call(event, times);
  if (is(Category::kOverhead, wants_.overheads)) return add_overhead(times);
  if (is(Category::kPythonFunction, wants_.ops)) return add_op(event, times, OpKind::kPythonFunction);
  const bool op = event.category == Category::kOperator;
  if (!op && event.category != Category::kAnnotation) return;
  const bool annotation = !op || is_annotation(event.name);
  if (annotation) add_range(event, times);
  if (op && wants_.declared && event.name == kCommunicationCall) add_message(event, times);
  if (op && wants_.declared && !event.args.kernel_file.empty()) generated_launches_.add(event, out_);
  if (wants_.ops) add_op(event, times, annotation ? OpKind::kAnnotation : OpKind::kOperator);
}

template <class Rows, class Ids>
void TraceColumns::add_core(Rows& rows, Ids& ids, const Event& event, Times times) {
  const Args& args = event.args;
  const std::int32_t device = small(args.device != Args::kAbsent ? args.device : trailing_number(event.process));
  rows.start.push(times.start);
  rows.end.push(times.end);
  rows.device.push(device);
  rows.stream.push(stream_of(event));
  const bool odd_stream = args.stream != Args::kAbsent && args.stream != small(args.stream) && !args.has_handle;
  lacking_.devices += device < 0 || odd_stream ? 1 : 0;
  rows.process.push(hosts_.rank(event.process));  // corrected when work is placed
  ids.push(args.correlation == Args::kAbsent ? 0 : args.correlation);
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

void TraceColumns::add_kernel(const Event& event, Times times) {
  tables_.begin_kernels();
  auto& rows = tables_.kernels;
  const Args& args = event.args;
  if (wants_.declared) add_message(event, times);
  if (wants_.kernel_names || wants_.collectives) {
    const StringId name = names_.intern(event.name);
    if (wants_.collectives) add_collective(name, args);
    rows.name.push_if_present(name);
  }
  add_core(rows, rows.correlation, event, times);
  rows.context.push_if_present(small(args.context));
  const bool whole = args.grid[0] != Args::kAbsent && args.block[0] != Args::kAbsent &&
                     small(args.registers) != kNone && small(args.shared) != kNone;
  lacking_.shapes.note(whole);
  rows.grid_x.push_if_present(small(args.grid[0]));
  rows.grid_y.push_if_present(small(args.grid[1]));
  rows.grid_z.push_if_present(small(args.grid[2]));
  rows.block_x.push_if_present(small(args.block[0]));
  rows.block_y.push_if_present(small(args.block[1]));
  rows.block_z.push_if_present(small(args.block[2]));
  rows.registers.push_if_present(small(args.registers));
  rows.shared_a_block.push_if_present(small(args.shared));
  rows.graph_node.push_if_present(args.graph_node == 0 ? std::int64_t{kNone} : or_none(args.graph_node));
  rows.blocks_per_sm.push_if_present(args.blocks_per_sm);
  rows.warps_per_sm.push_if_present(args.warps_per_sm);
  lacking_.numbers += args.occupancy < 0 || args.occupancy > kMaxOccupancy ? 1 : 0;
  rows.occupancy.push_if_present(args.occupancy);
  // Some traces of 2022 use the correlation id as External id, which has no meaning among operators.
  tables_.kernel_operators.push_if_present(args.external_id == args.correlation ? std::int64_t{kNone}
                                                                                : or_none(args.external_id));
}

/// Of the kernel that is added next.
void TraceColumns::add_collective(StringId name, const Args& args) {
  std::uint8_t& known = entry(communicate_, name, std::uint8_t{0});
  if (known == 0) known = communicates(out_.text(name).view()) ? 2 : 1;
  if (known != 2 && args.collective.empty()) return;
  auto& rows = tables_.collectives;
  CollectiveKind kind = collective_kind(args.collective);
  if (kind == CollectiveKind::kUnknown) kind = collective_kind(out_.text(name).view());
  rows.kernel.push(static_cast<Row>(tables_.kernels.start.size()));
  rows.kind.push(kind);
  rows.group.push(intern_unescaped(args.group));
  rows.group_ranks.push(out_.intern(rank_list(unescaped(args.group_ranks))));
  rows.group_size.push(small(args.group_size));
  rows.sequence.push(or_none(args.sequence));
  rows.sent.push(bytes_of(args.elements_in, args.dtype));
  rows.received.push(bytes_of(args.elements_out, args.dtype));
  rows.dtype.push(intern_unescaped(args.dtype));
}

template <class Rows>
void TraceColumns::add_sized(Rows& rows, const Event& event, Times times) {
  add_core(rows, rows.correlation, event, times);
  lacking_.copy_sizes += event.args.bytes < 0 ? 1 : 0;
  rows.bytes.push_if_present(or_none(event.args.bytes));
  rows.context.push_if_present(small(event.args.context));
}

void TraceColumns::add_copy(const Event& event, Times times) {
  tables_.begin_copies();
  auto& rows = tables_.copies;
  add_sized(rows, event, times);
  if (wants_.memory_kinds) {
    const MemoryKinds kinds = memory_kinds_of(event.name);
    rows.source_kind.push_late(rows.start.size() - 1, kinds.source, MemoryKind::kUnknown);
    rows.target_kind.push_late(rows.start.size() - 1, kinds.target, MemoryKind::kUnknown);
  }
  if (!wants_.directions) return;
  const std::string_view said = event.args.direction;
  const CopyDirection direction = direction_of_copy(said.empty() ? event.name : said);
  rows.direction.push(direction);
  rows.kind.push(copy_kind_of(direction));
}

void TraceColumns::add_set(const Event& event, Times times) {
  tables_.begin_sets();
  auto& rows = tables_.sets;
  add_sized(rows, event, times);
  if (wants_.set_kind)
    rows.memory_kind.push_late(rows.start.size() - 1, memory_kinds_of(event.name).target, MemoryKind::kUnknown);
}

void TraceColumns::add_sync(const Event& event, Times times) {
  auto& rows = tables_.syncs;
  add_core(rows, tables_.sync_ids, event, times);
  rows.type.push(sync_type_of(event.name));
  if (!wants_.records) return;
  tables_.sync_records.push(event.args.record_call == Args::kAbsent ? 0 : event.args.record_call);
  rows.record_stream.push(small(event.args.record_stream));
}

void TraceColumns::add_call(const Event& event, Times times) {
  tables_.begin_calls();
  auto& rows = tables_.calls;
  const StringId written = names_.intern(event.name);
  CallName& call = entry(call_names_, written, CallName());
  if (!call.known) {
    const std::string name(without_version(out_.text(written).view()));
    call = {out_.intern(name), kind_of_call(name), true};
  }
  const bool launches = call.kind == CallKind::kKernelLaunch;
  launches_ += launches ? 1 : 0;
  rows.start.push(times.start);
  rows.end.push(times.end);
  rows.thread.push(thread_of(event));
  rows.kind.push(call.kind);
  rows.name.push_if_present(call.name);
  rows.correlation.push(event.args.correlation == Args::kAbsent ? 0 : event.args.correlation);
  lacking_.call_links.note(is_link(event.args.correlation));
  tables_.call_operators.push_if_present(or_none(event.args.external_id));
  if (wants_.declared)
    tables_.launched.push(launches && !event.args.kernel.empty() ? names_.intern(event.args.kernel) : StringId{0});
}

std::uint32_t TraceColumns::thread_of(const Event& event) {
  lacking_.threads += event.process.empty() || event.thread.empty() ? 1 : 0;
  const std::uint32_t row = hosts_.thread(event.process, event.thread);
  if (event.category != Category::kPythonFunction) lacking_.host_ids.note(hosts_.numbered(row));
  return row;
}

/// JSON is kept verbatim: the interned names would lose its escapes.
StringId TraceColumns::json(std::string_view text) {
  return text.find('\\') == std::string_view::npos ? names_.intern(text) : out_.intern(text);
}

void TraceColumns::add_op(const Event& event, Times times, OpKind kind) {
  tables_.begin_ops();
  auto& rows = tables_.ops;
  const Args& args = event.args;
  const std::uint32_t thread = thread_of(event);
  if (wants_.causes) causes_.add_op(event.name, times.start, times.end, thread);
  add_inputs(rows.start.size(), args);
  rows.start.push(times.start);
  rows.end.push(times.end);
  rows.name.push(names_.intern(event.name));
  rows.thread.push(thread);
  rows.kind.push(kind);
  rows.external_id.push_if_present(kind == OpKind::kPythonFunction ? std::int64_t{kNone} : or_none(args.external_id));
  rows.python_id.push_if_present(or_none(args.python_id));
  rows.python_parent.push_if_present(or_none(args.python_parent));
  rows.python_module.push_if_present(or_none(args.python_module));
  rows.sequence.push_if_present(or_none(args.sequence_number));
  rows.forward_thread.push_if_present(or_none(args.forward_thread));
}

/// A trace without record_shapes has no such columns; kineto before 2023 wrote no scalars.
void TraceColumns::add_inputs(std::size_t row, const Args& args) {
  auto& rows = tables_.ops;
  if (wants_.inputs) {
    const StringId dims = json(args.input_dims), types = json(args.input_types), strides = json(args.input_strides);
    if ((dims | types | strides) != 0) {
      rows.input_dims.make_present();
      rows.input_types.make_present();
      rows.input_strides.make_present();
    }
    rows.input_dims.push_late(row, dims, 0);
    rows.input_types.push_late(row, types, 0);
    rows.input_strides.push_late(row, strides, 0);
  }
  if (wants_.concrete_inputs) rows.concrete_inputs.push_late(row, json(args.concrete_inputs), 0);
}

void TraceColumns::add_range(const Event& event, Times times) {
  auto& rows = tables_.ranges;
  const std::uint32_t thread = thread_of(event);
  if (wants_.causes) causes_.add_range(event.name, times.start, times.end);
  rows.start.push(times.start);
  rows.end.push(times.end);
  rows.name.push(names_.intern(event.name));
  rows.domain.push(0);
  rows.thread.push(thread);
  rows.end_thread.push(thread);
  rows.open.push(0);
}

void TraceColumns::add_overhead(Times times) {
  tables_.overheads.start.push(times.start);
  tables_.overheads.end.push(times.end);
  tables_.overheads.process.push(kUnknown);  // of the process that works most
}

void TraceColumns::add_allocation(const Event& event) {
  auto& rows = tables_.allocations;
  constexpr std::int64_t kHostMemory = 0;  // c10::DeviceType
  const Args& args = event.args;
  lacking_.numbers += args.device != Args::kAbsent && args.device != small(args.device) ? 1 : 0;
  const auto total = [&](std::int64_t bytes) {
    lacking_.numbers += bytes != Args::kAbsent && (bytes < 0 || bytes > kMaxInAll) ? 1 : 0;
    return bytes >= 0 && bytes <= kMaxInAll ? bytes : std::int64_t{kNone};
  };
  rows.time.push(parse_time(event.time).value_or(kNoValue));
  rows.device.push(args.device_type == kHostMemory ? kNone : small(args.device));
  rows.bytes.push(args.bytes == Args::kAbsent ? 0 : args.bytes);
  rows.allocated.push(total(args.allocated));
  rows.reserved.push(total(args.reserved));
  rows.thread.push(thread_of(event));
  if (wants_.declared) tables_.addresses.push(args.address == Args::kAbsent ? kNoCell : args.address);
}

/// The profiler has a single switch for all device work.
void TraceColumns::finish() {
  if (count(Category::kKernel) + count(Category::kCopy) + count(Category::kSet) > 0) {
    if (wants_.kernels) tables_.begin_kernels();
    if (wants_.copies) tables_.begin_copies();
    if (wants_.sets) tables_.begin_sets();
  }
  tables_.finish();
  causes_.finish();
  add_messages(messages_, out_);
  generated_launches_.finish(out_);
}

}  // namespace assay::load
