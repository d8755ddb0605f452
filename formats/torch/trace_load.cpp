#include "formats/torch/trace_load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "formats/torch/allocation_intervals.hpp"
#include "formats/torch/captured_launches.hpp"
#include "formats/torch/columns.hpp"
#include "formats/torch/compile_causes.hpp"
#include "formats/torch/header.hpp"
#include "formats/torch/notes.hpp"
#include "formats/torch/pairs.hpp"
#include "formats/torch/parse.hpp"
#include "formats/torch/scan.hpp"
#include "formats/torch/sniff_trace.hpp"
#include "formats/torch/trace_environment.hpp"
#include "load/arrange.hpp"
#include "load/collectives.hpp"
#include "load/link.hpp"
#include "load/ops.hpp"
#include "load/possible_times.hpp"

namespace assay::load {
namespace {

template <class Rows>
void make_empty(std::optional<Rows>& rows, bool exists) {
  if (!exists || rows) return;
  rows.emplace().each([](auto& column) { column.make_present(0); });
}

/// Tables without events that were captured nevertheless: the profiler has a single switch for all device work.
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
  clean(store.kernels, "category kernel");
  clean(store.copies, "category gpu_memcpy");
  clean(store.sets, "category gpu_memset");
  clean(store.syncs, "category cuda_sync");
  clean(store.calls, "categories cuda_runtime and cuda_driver");
  clean(store.ranges, "category user_annotation");
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

/// Shifts all times so that the first event of the trace starts at 0.
void shift(Profile::Store& store, std::int64_t origin) {
  const auto move = [&](auto& column) {
    for (std::int64_t& time : column.values()) time -= origin;
  };
  const auto move_all = [&](auto& rows) {
    if (rows) {
      move(rows->start);
      move(rows->end);
    }
  };
  move_all(store.kernels);
  move_all(store.copies);
  move_all(store.sets);
  move_all(store.syncs);
  move_all(store.calls);
  move_all(store.ranges);
  move_all(store.ops);
  move_all(store.overheads);
  if (store.allocations) move(store.allocations->time);
  for (DeclaredTableRows& table : store.declared) move(table.columns.front().integers);
}

/// Number of host rows by process.
std::vector<std::size_t> host_rows(Profile::Store& store) {
  if (store.threads.process_count() == 0) store.threads.add_process(kNone);
  std::vector<std::size_t> rows(store.threads.process_count(), 0);
  const auto count = [&](const auto& table) {
    if (!table) return;
    for (const std::uint32_t thread : table->thread.values()) ++rows[store.threads.process_of_thread(thread)];
  };
  if (store.calls) {
    count(store.calls);
  } else {
    count(store.ops);
    count(store.ranges);
  }
  return rows;
}

/// The processes that made calls: of one rank of a merged trace, or of the whole trace.
class Callers {
 public:
  Callers(const Profile::Store& store, const std::vector<std::size_t>& rows, const std::vector<std::uint32_t>& ranks,
          std::uint32_t rank) {
    const auto belongs = [&](std::size_t process) { return rank == kUnknown || ranks[process] == rank; };
    for (std::size_t p = 0; p < rows.size(); ++p) {
      if (belongs(p) && (main_ == kUnknown || rows[p] > rows[main_])) main_ = static_cast<std::uint32_t>(p);
    }
    const auto gather = [&](bool own, auto& calls) {
      for (std::size_t c = 0; store.calls && c < store.calls->rows(); ++c) {
        const std::uint32_t process = store.threads.process_of_thread(store.calls->thread[c]);
        if (belongs(process) && (process == main_) == own) calls.emplace_back(store.calls->correlation[c], process);
      }
    };
    gather(false, others_);
    if (!others_.empty()) gather(true, own_);
    std::ranges::sort(own_);
    std::ranges::sort(others_);
  }

  /// The process that made the call with this id; kUnknown if two processes have it.
  [[nodiscard]] std::uint32_t process_of(std::int64_t id) const {
    if (others_.empty()) return main_;
    const auto of = [id](const auto& calls) {
      const auto at = std::ranges::lower_bound(calls, std::pair(id, std::uint32_t{0}));
      return at != calls.end() && at->first == id ? at->second : kUnknown;
    };
    const std::uint32_t other = of(others_);
    if (other == kUnknown) return main_;
    return id > 0 && of(own_) != kUnknown ? kUnknown : other;
  }
  [[nodiscard]] std::uint32_t main() const { return main_; }

 private:
  std::uint32_t main_ = kUnknown;
  std::vector<std::pair<std::int64_t, std::uint32_t>> own_, others_;
};

/// Device work has no process, only call ids and, in a merged trace, the rank. If several processes made calls, an id
/// that the main one does not have identifies the process.
void assign_processes(const Hosts& hosts, Profile::Store& store) {
  const std::vector<std::size_t> rows_of = host_rows(store);
  std::vector<std::uint32_t> ranks = hosts.ranks();
  ranks.resize(rows_of.size(), kUnknown);
  std::map<std::uint32_t, Callers> callers;
  std::int64_t ambiguous = 0;
  const auto assign = [&](auto& rows) {
    for (std::size_t i = 0; rows && i < rows->rows(); ++i) {
      std::uint32_t& process = rows->process.values()[i];
      auto at = callers.find(process);
      if (at == callers.end()) at = callers.emplace(process, Callers(store, rows_of, ranks, process)).first;
      std::int64_t& id = rows->correlation.values()[i];
      process = at->second.process_of(id);
      if (process != kUnknown) continue;
      process = at->second.main() == kUnknown ? 0 : at->second.main();
      ambiguous += id > 0 ? 1 : 0;
      id = 0;
    }
  };
  assign(store.kernels);
  assign(store.copies);
  assign(store.sets);
  assign(store.syncs);
  if (store.overheads) {
    const auto main = std::ranges::max_element(rows_of) - rows_of.begin();
    store.overheads->process.assign(store.overheads->rows(), static_cast<std::uint32_t>(main));
  }
  if (ambiguous > 0) {
    store.issues.push_back({"ambiguous_ids", Severity::kWarning, ambiguous,
                            fmt::format("{} rows of device work have the number of a call that several processes have; "
                                        "they are not linked to their launch.",
                                        ambiguous)});
  }
}

/// The ranks of a merged trace number their devices independently, so equal numbers are different devices.
void part_devices(Profile::Store& store) {
  std::map<std::int32_t, std::uint32_t> holder;
  std::map<std::pair<std::uint32_t, std::int32_t>, std::int32_t> device_of;
  std::int32_t next = 0;
  const auto each = [&](const auto& use) {
    const auto rows_of = [&](auto& rows) {
      for (std::size_t i = 0; rows && i < rows->rows(); ++i) use(rows->process[i], rows->device.values()[i]);
    };
    rows_of(store.kernels);
    rows_of(store.copies);
    rows_of(store.sets);
    rows_of(store.syncs);
  };
  each([&](std::uint32_t, std::int32_t device) { next = std::max(next, device + 1); });
  each([&](std::uint32_t process, std::int32_t& device) {
    if (device == kNone) return;
    const auto [at, fresh] = device_of.try_emplace({process, device}, device);
    if (fresh && !holder.emplace(device, process).second) at->second = next++;
    device = at->second;
  });
}

/// Unread events by kind: "category x", "process 'y'".
std::map<std::string, std::int64_t> unread_kinds(const ParseOutcome& parsed) {
  std::map<std::string, std::int64_t> kinds;
  for (const auto& [category, count] : parsed.passed_over) kinds["category " + category] += count;
  for (const auto& [process, count] : parsed.without_category) {
    const auto name = parsed.process_names.find(process);
    kinds[name == parsed.process_names.end() ? "no category" : fmt::format("process '{}'", name->second)] += count;
  }
  return kinds;
}

/// "63 events of category x, 4 of process 'y'" for unread events; empty: none.
std::string unread_events(const std::map<std::string, std::int64_t>& kinds) {
  constexpr std::size_t kMaxNamed = 3;
  std::vector<std::pair<std::int64_t, std::string>> sorted;
  for (const auto& [kind, count] : kinds) sorted.emplace_back(-count, kind);
  std::ranges::sort(sorted);
  std::string text;
  for (std::size_t i = 0; i < std::min(sorted.size(), kMaxNamed); ++i)
    text +=
        fmt::format("{}{}{} {}", i == 0 ? "" : ", ", -sorted[i].first, i == 0 ? " events of" : " of", sorted[i].second);
  return sorted.size() > kMaxNamed ? text + " and others" : text;
}

void note_missing(const TraceColumns& columns, const ParseOutcome& parsed, Profile::Store& store) {
  const std::map<std::string, std::int64_t> kinds = unread_kinds(parsed);
  const std::string unread = unread_events(kinds);
  if (!unread.empty()) {
    std::int64_t count = 0;
    for (const auto& [kind, events] : kinds) count += events;
    store.issues.push_back({"passed_over", Severity::kInfo, count, fmt::format("Not read: {}.", unread)});
  }
  if (!columns.wants().kernels || (store.kernels && store.kernels->rows() > 0)) return;
  std::int64_t launches = 0;
  if (store.calls)
    launches =
        std::count(store.calls->kind.values().begin(), store.calls->kind.values().end(), CallKind::kKernelLaunch);
  if (store.kernels && launches == 0) return;
  const auto calls = static_cast<std::int64_t>(store.calls ? store.calls->rows() : 0);
  std::string text;
  if (launches > 0)
    text = fmt::format("No kernels were captured although {} launches were.", launches);
  else if (!unread.empty())
    text = fmt::format("No kernels are read of this trace; device work may be among what is not: {}.", unread);
  else if (calls > 0)
    text = fmt::format("No kernels were captured although the host called the device's runtime (calls: {}).", calls);
  else
    text = "No kernels were captured; the trace is of the host only.";
  store.issues.push_back({"no_kernel_table", launches > 0 ? Severity::kError : Severity::kWarning, launches, text});
}

/// A trace without record_shapes has no such columns; kineto before 2023 wrote no scalars.
void drop_without_inputs(OpRows& ops) {
  const auto none = [](const auto& column) {
    return std::all_of(column.values().begin(), column.values().end(), [](StringId text) { return text == 0; });
  };
  if (none(ops.concrete_inputs)) ops.concrete_inputs.drop();
  if (!none(ops.input_dims) || !none(ops.input_types) || !none(ops.input_strides)) return;
  ops.input_dims.drop();
  ops.input_types.drop();
  ops.input_strides.drop();
}

void link(const Hosts& hosts, Profile::Store& store, const WantedColumns& wanted) {
  assign_processes(hosts, store);
  if (std::ranges::any_of(hosts.ranks(), [](std::uint32_t rank) { return rank != kUnknown; })) part_devices(store);
  link_work(store, wanted);
  name_launches(store);
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
  const WantedColumns& wanted = request.wanted;
  Result<TraceText> text = TraceText::open(file, request.threads);
  if (!text) return text.error();
  auto store = std::make_unique<Profile::Store>();
  store->name = request.name;
  TraceColumns columns(*store, wanted);
  TraceHeader header(*store);
  PairedEvents events(columns);
  const auto to_header = [&](std::string_view key, std::string_view value) { header.read_field(key, value); };
  ParseOutcome parsed = parse_trace(*text, events, to_header, request.threads);
  const auto refuse = [&](std::string_view why) {
    return Error{fmt::format("'{}' {}", file.string(), why), Exit::kFailed}
        .at(file.string())
        .advise("export the trace of the PyTorch profiler again");
  };
  if (!parsed.refusal.empty()) return refuse(parsed.refusal);
  if (!parsed.has_events) return refuse("holds no traceEvents");
  if (columns.read() == 0) {
    return refuse(parsed.first_issue.empty()
                      ? "holds no event of the PyTorch profiler"
                      : "holds no complete event of the PyTorch profiler: " + parsed.first_issue);
  }
  events.add_issues(parsed.issues);
  columns.add_issues(parsed.issues);
  for (Issue& issue : parsed.issues) store->issues.push_back(std::move(issue));
  add_empty_tables(columns, *store);
  sort(*store);
  add_messages(columns.release_messages(), *store);
  link(columns.hosts(), *store, wanted);
  const std::int64_t first = store->impossible > 0 ? least_start(*store) : columns.origin();
  const std::int64_t origin = is_time(first) ? first : 0;
  shift(*store, origin);
  if (columns.wants().intervals) add_allocation_intervals(*store);
  if (wanted.table(col::causes)) add_compile_causes(*store);
  if (!wanted.table(col::ops) && !columns.wants().op_links) store->ops.reset();  // read for the links only
  store->properties.push_back({"origin_ns", std::to_string(header.base() + origin)});
  header.complete_devices();
  add_captured_launches(*store, wanted);
  add_generated_launches(columns.generated_launches(), *store);
  note_missing(columns, parsed, *store);
  return store;
}

bool sniff_trace(const Candidate& file) { return is_trace(file.path, file.head); }
Environment environment_of(const Candidate& file) { return trace_environment(file.path); }

std::optional<Explanation> explain_trace(const Candidate& file) {
  if (is_chrome_trace(file.path, file.head))
    return Explanation{"This is a trace (traceEvents) that the PyTorch profiler did not write, which is not read",
                       "record the program with the PyTorch profiler or 'nsys profile', or add a format that reads it "
                       "(docs/formats.md)."};
  std::string name = file.path.filename().native();
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (!name.ends_with(".pt.trace.json") && !name.ends_with(".pt.trace.json.gz")) return std::nullopt;
  return Explanation{"This file is named like a PyTorch trace but has no traceEvents near its beginning",
                     "export the trace again."};
}

constexpr std::string_view kTraceExtensions[] = {".pt.trace.json.gz", ".pt.trace.json", ".json.gz", ".json"},
                           kTraceTelling[] = {".pt.trace.json", ".pt.trace.json.gz"},
                           kTraceGlobs[] = {"**/*.json", "**/*.json.gz"};
constexpr FormatNames kTraceNames{
    kTraceExtensions,  kTraceTelling,    {}, kTraceGlobs, "PyTorch traces (.pt.trace.json, .json.gz)",
    "a PyTorch trace", "export it again"};

constinit const LinkedFormat kFormat{{"torch", true, true}, "PyTorch trace",      kTraceNames,
                                     sniff_trace,           environment_of,       load_trace,
                                     torch_notes::kNotes,   {explain_trace, true}};

}  // namespace

const Format& torch_format() { return kFormat; }

}  // namespace assay::load
