#include "load/trace/trace_load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "load/arrange.hpp"
#include "load/collectives.hpp"
#include "load/link.hpp"
#include "load/possible_times.hpp"
#include "load/trace/columns.hpp"
#include "load/trace/header.hpp"
#include "load/trace/ops.hpp"
#include "load/trace/pairs.hpp"
#include "load/trace/parse.hpp"
#include "load/trace/scan.hpp"
#include "load/trace/sniff_trace.hpp"
#include "load/trace/trace_environment.hpp"

namespace assay::load {
namespace {

template <class Rows>
void make_empty(std::optional<Rows>& rows, bool exists) {
  if (!exists || rows) return;
  rows.emplace().each([](auto& column) { column.make_present(0); });
}

/// Tables of which no event came though they were captured: one switch of the profiler is for all device work.
void add_empty_tables(const TraceColumns& columns, Profile::Store& store) {
  const TraceWants& wants = columns.wants();
  const bool device =
      columns.count(Category::kKernel) + columns.count(Category::kCopy) + columns.count(Category::kSet) > 0;
  make_empty(store.kernels, device && wants.kernels);
  make_empty(store.collectives, store.kernels && wants.collectives);
  make_empty(store.copies, device && wants.copies);
  make_empty(store.sets, device && wants.sets);
  if (store.ranges->rows() == 0) store.ranges->each([](auto& column) { column.make_present(0); });
}

void sort(Profile::Store& store) {
  const auto clean = [&](auto& rows, const char* what) {
    if (rows) clean_and_sort(*rows, what, store.issues);
  };
  clean(store.kernels, "category kernel"), clean(store.copies, "category gpu_memcpy");
  clean(store.sets, "category gpu_memset"), clean(store.syncs, "category cuda_sync");
  clean(store.calls, "categories cuda_runtime and cuda_driver"), clean(store.ranges, "category user_annotation");
  clean(store.ops, "categories cpu_op, python_function and user_annotation");
  clean(store.overheads, "category overhead");
  if (!store.allocations) return;
  AllocationRows& rows = *store.allocations;
  std::vector<std::uint32_t> order = sorting_order(rows.time.values(), rows.time.values());
  const auto untimed = [&](std::int64_t start) { return !is_time(start); };
  const auto dropped = std::count_if(rows.time.values().begin(), rows.time.values().end(), untimed);
  if (dropped > 0) {
    if (order.empty()) {
      order.resize(rows.time.values().size());
      std::iota(order.begin(), order.end(), 0U);
    }
    std::erase_if(order, [&](std::uint32_t row) { return untimed(rows.time[row]); });
    store.issues.push_back({"no_start", Severity::kWarning, dropped,
                            fmt::format("{} memory events have no start time and are left out.", dropped)});
  }
  if (!order.empty() || dropped > 0) rows.each([&](auto& column) { column.reorder(order); });
}

/// Moves all times so that the first event of the trace starts at 0.
void shift(Profile::Store& store, std::int64_t origin) {
  const auto move = [&](auto& column) {
    for (std::int64_t& time : column.values()) time -= origin;
  };
  const auto move_all = [&](auto& rows) {
    if (rows) move(rows->start), move(rows->end);
  };
  move_all(store.kernels), move_all(store.copies), move_all(store.sets), move_all(store.syncs);
  move_all(store.calls), move_all(store.ranges), move_all(store.ops), move_all(store.overheads);
  if (store.allocations) move(store.allocations->time);
}

/// The process with the most rows on the host: the trace's own.
std::uint32_t main_process(Profile::Store& store) {
  if (store.threads.process_count() == 0) store.threads.add_process(kNone);
  std::vector<std::size_t> rows(store.threads.process_count(), 0);
  const auto count = [&](const auto& table) {
    if (!table) return;
    for (const std::uint32_t thread : table->thread.values()) ++rows[store.threads.process_of_thread(thread)];
  };
  if (store.calls) {
    count(store.calls);
  } else {
    count(store.ops), count(store.ranges);
  }
  return static_cast<std::uint32_t>(std::max_element(rows.begin(), rows.end()) - rows.begin());
}

/// Device work carries no process, only ids of calls. Where several processes made calls, an id that the main one does
/// not have names the process.
void assign_processes(Profile::Store& store) {
  const std::uint32_t process = main_process(store);
  std::vector<std::pair<std::int64_t, std::uint32_t>> of_call;
  for (std::size_t c = 0; store.calls && c < store.calls->rows(); ++c) {
    const std::uint32_t other = store.threads.process_of_thread(store.calls->thread[c]);
    if (other != process) of_call.emplace_back(store.calls->correlation[c], other);
  }
  std::vector<std::int64_t> own;
  for (std::size_t c = 0; !of_call.empty() && c < store.calls->rows(); ++c) {
    if (store.threads.process_of_thread(store.calls->thread[c]) == process) own.push_back(store.calls->correlation[c]);
  }
  std::sort(of_call.begin(), of_call.end());
  std::sort(own.begin(), own.end());
  const auto process_of = [&](std::int64_t id) {
    if (of_call.empty() || std::binary_search(own.begin(), own.end(), id)) return process;
    const auto at = std::lower_bound(of_call.begin(), of_call.end(), std::pair(id, std::uint32_t{0}));
    return at != of_call.end() && at->first == id ? at->second : process;
  };
  const auto assign = [&](auto& rows) {
    for (std::size_t i = 0; rows && i < rows->rows(); ++i) rows->process.values()[i] = process_of(rows->correlation[i]);
  };
  assign(store.kernels), assign(store.copies), assign(store.sets), assign(store.syncs);
  if (store.overheads) store.overheads->process.assign(store.overheads->rows(), process);
}

void note_missing(const TraceColumns& columns, Profile::Store& store) {
  if (!columns.wants().kernels || store.kernels) return;
  std::int64_t launches = 0;
  if (store.calls)
    launches =
        std::count(store.calls->kind.values().begin(), store.calls->kind.values().end(), CallKind::kKernelLaunch);
  const auto calls = static_cast<std::int64_t>(store.calls ? store.calls->rows() : 0);
  store.issues.push_back({"no_kernel_table", launches > 0 ? Severity::kError : Severity::kWarning, launches,
                          launches > 0 ? fmt::format("No kernels were captured although {} launches were.", launches)
                          : calls > 0
                              ? fmt::format("No kernels were captured although the host called the device's runtime "
                                            "(calls: {}); the trace may use an unknown category for device work.",
                                            calls)
                              : std::string("No kernels were captured; the trace is of the host only.")});
}

/// A trace recorded without record_shapes has no column of them; kineto before 2023 wrote no scalars.
void drop_without_inputs(OpRows& ops) {
  const auto none = [](const auto& column) {
    return std::all_of(column.values().begin(), column.values().end(), [](StringId text) { return text == 0; });
  };
  if (none(ops.concrete_inputs)) ops.concrete_inputs.drop();
  if (!none(ops.input_dims) || !none(ops.input_types) || !none(ops.input_strides)) return;
  ops.input_dims.drop(), ops.input_types.drop(), ops.input_strides.drop();
}

void link(Profile::Store& store, const Wanted& wanted) {
  assign_processes(store);
  link_work(store, wanted);
  arrange_ranges(store, wanted);
  if (store.ops) nest(*store.ops, store.threads.thread_count());
  if (wanted.column(col::kernel_op) || wanted.column(col::call_op)) link_ops(store);
  order_collectives(store);
  if (store.kernels) store.kernels->external_id.drop();
  if (store.calls) store.calls->external_id.drop();
  if (store.ops && !wanted.column(col::op_external_id)) store.ops->external_id.drop();
  if (store.ops) drop_without_inputs(*store.ops);
}

Result<std::unique_ptr<Profile::Store>> load_trace(const LoadRequest& request) {
  const std::filesystem::path& file = request.path;
  const Wanted& wanted = request.wanted;
  Result<TraceText> text = TraceText::open(file, request.threads);
  if (!text) return text.error();
  auto store = std::make_unique<Profile::Store>();
  store->name = request.name;
  TraceColumns columns(*store, wanted);
  TraceHeader header(*store);
  PairedEvents events(columns);
  ParseOutcome parsed =
      parse_trace(*text, events, [&](std::string_view key, std::string_view value) { header.take(key, value); });
  const auto refuse = [&](std::string_view why) {
    return Error{fmt::format("'{}' {}; export the trace of the PyTorch profiler again", file.string(), why),
                 Exit::kFailed};
  };
  if (!parsed.refusal.empty()) return refuse(parsed.refusal);
  if (!parsed.has_events) return refuse("holds no traceEvents");
  if (columns.read() == 0) {
    return refuse(parsed.issues.empty()
                      ? "holds no event of the PyTorch profiler"
                      : fmt::format("holds no complete event of the PyTorch profiler: {}", parsed.issues[0].text));
  }
  events.add_issues(parsed.issues);
  columns.add_issues(parsed.issues);
  for (Issue& issue : parsed.issues) store->issues.push_back(std::move(issue));
  add_empty_tables(columns, *store);
  sort(*store);
  link(*store, wanted);
  const std::int64_t first = store->impossible > 0 ? least_start(*store) : columns.origin();
  const std::int64_t origin = is_time(first) ? first : 0;
  shift(*store, origin);
  store->properties.push_back({"origin_ns", std::to_string(header.base() + origin)});
  header.complete_devices();
  note_missing(columns, *store);
  return store;
}

bool sniff_trace(const Candidate& file) { return is_trace(file.path, file.head); }
Environment environment_of(const Candidate& file) { return trace_environment(file.path); }

}  // namespace

namespace {

constexpr std::string_view kTraceExtensions[] = {".pt.trace.json.gz", ".pt.trace.json", ".json.gz", ".json"},
                           kTraceTelling[] = {".pt.trace.json", ".pt.trace.json.gz"},
                           kTraceGlobs[] = {"**/*.json", "**/*.json.gz"};
constexpr FormatNames kTraceNames{
    kTraceExtensions, kTraceTelling, {}, kTraceGlobs, "PyTorch traces (.pt.trace.json, .json.gz)"};

}  // namespace

constinit const Format kTraceFormat{FileKind::kTorchTrace, "PyTorch trace", kTraceNames,
                                    sniff_trace,           environment_of,  load_trace};

}  // namespace assay::load
