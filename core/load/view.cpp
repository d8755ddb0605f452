// A Report over a profile: the profile's columns, and the window's and iterations' own.
#include "load/window.hpp"

namespace assay {

using namespace load;

namespace {

/// What a view owns beside the profile it borrows.
struct Parts {
  Windowed windowed;
  IterationRows iteration_rows;
  std::vector<Issue> issues;

  Report report;
  KernelTable kernels;
  GraphTable graphs;
  CopyTable copies;
  SetTable sets;
  SyncTable syncs;
  OverheadTable overheads;
  CallTable calls, repeats;
  HostEventTable os_calls, mpi_events, openacc_events, openmp_events;
  MpiTable mpi;
  PageFaultTable cpu_faults, gpu_faults;
  RangeTable ranges, spans;
  IterationTable iterations;
  DeviceTable devices;
  ProcessTable processes;
  ThreadTable threads;
  IssueTable issue_table;
  OpTable ops;
  AllocationTable allocations;
  PropertyTable properties;
  ProfiledTable profiled;
  CounterTable counters;

  std::vector<Str> thread_names, device_names, issue_names, issue_texts, property_names, property_values;
  std::vector<Severity> issue_severities;
  std::vector<std::int64_t> issue_counts, process_ids, thread_ids;
  std::vector<std::uint32_t> process_of_thread;
};

/// A present column over a vector of the view; never null.
template <class T>
Column<T> column(const std::vector<T>& values) {
  static constexpr T kEmpty{};
  return {values.empty() ? &kEmpty : values.data(), values.size()};
}

template <class Table, class Rows>
void set_core(Table& table, const Rows& rows) {
  table.rows = rows.rows();
  table.start = rows.start.view();
  table.end = rows.end.view();
  table.device = rows.device.view();
  table.stream = rows.stream.view();
  table.process = rows.process.view();
  table.call = rows.call.view();
}

void set_kernels(KernelTable& table, const KernelRows& rows) {
  set_core(table, rows);
  table.name = rows.name.view();
  table.short_name = rows.short_name.view();
  table.mangled_name = rows.mangled_name.view();
  table.context = rows.context.view();
  table.correlation = rows.correlation.view();
  table.grid_x = rows.grid_x.view(), table.grid_y = rows.grid_y.view(), table.grid_z = rows.grid_z.view();
  table.block_x = rows.block_x.view(), table.block_y = rows.block_y.view(), table.block_z = rows.block_z.view();
  table.registers = rows.registers.view();
  table.static_shared = rows.static_shared.view();
  table.dynamic_shared = rows.dynamic_shared.view();
  table.executed_shared = rows.executed_shared.view();
  table.graph_node = rows.graph_node.view();
  table.blocks_per_sm = rows.blocks_per_sm.view();
  table.warps_per_sm = rows.warps_per_sm.view();
  table.occupancy = rows.occupancy.view();
  table.op = rows.op.view();
  table.shared_a_block = rows.shared_a_block.view();
  table.profiled = rows.profiled.view();
  table.green_context = rows.green_context.view();
}

void set_calls(CallTable& table, const CallRows& rows) {
  table.rows = rows.rows();
  table.start = rows.start.view();
  table.end = rows.end.view();
  table.thread = rows.thread.view();
  table.kind = rows.kind.view();
  table.name = rows.name.view();
  table.range = rows.range.view();
  table.correlation = rows.correlation.view();
  table.return_value = rows.return_value.view();
  table.twin = rows.twin.view();
  table.full_name = rows.full_name.view();
  table.op = rows.op.view();
}

void set_ranges(RangeTable& table, const RangeRows& rows) {
  table.rows = rows.rows();
  table.start = rows.start.view(), table.end = rows.end.view();
  table.name = rows.name.view(), table.domain = rows.domain.view();
  table.thread = rows.thread.view(), table.end_thread = rows.end_thread.view();
  table.open = rows.open.view(), table.parent = rows.parent.view(), table.depth = rows.depth.view();
  table.reach = rows.reach.view();
  table.in_named_domain = rows.in_named_domain.view();
  table.row_id = rows.row_id.view();
}

void set_ops(OpTable& table, const OpRows& rows) {
  table.rows = rows.rows();
  table.start = rows.start.view(), table.end = rows.end.view();
  table.name = rows.name.view();
  table.thread = rows.thread.view();
  table.kind = rows.kind.view();
  table.parent = rows.parent.view(), table.depth = rows.depth.view();
  table.external_id = rows.external_id.view();
  table.python_id = rows.python_id.view();
  table.python_parent = rows.python_parent.view();
  table.python_module = rows.python_module.view();
}

void set_allocations(AllocationTable& table, const AllocationRows& rows) {
  table.rows = rows.rows();
  table.time = rows.start.view();
  table.device = rows.device.view();
  table.bytes = rows.bytes.view();
  table.allocated = rows.allocated.view(), table.reserved = rows.reserved.view();
  table.thread = rows.thread.view();
}

void set_profiled(ProfiledTable& table, const ProfiledRows& rows) {
  table.rows = rows.rows();
  table.id = rows.id.view(), table.process = rows.process.view();
  table.name = rows.name.view(), table.short_name = rows.short_name.view();
  table.grid_x = rows.grid_x.view(), table.grid_y = rows.grid_y.view(), table.grid_z = rows.grid_z.view();
  table.block_x = rows.block_x.view(), table.block_y = rows.block_y.view(), table.block_z = rows.block_z.view();
  table.device = rows.device.view(), table.context = rows.context.view(), table.stream = rows.stream.view();
  table.group = rows.group.view();
}

void set_devices(Parts& state, const load::DeviceRows& rows) {
  DeviceTable& table = state.devices;
  for (const std::string& name : rows.names) state.device_names.emplace_back(name);
  table.rows = rows.names.size();
  table.id = rows.id.view();
  table.name = column(state.device_names);
  table.sm_count = rows.sm_count.view();
  table.compute_major = rows.compute_major.view(), table.compute_minor = rows.compute_minor.view();
  table.max_threads_per_sm = rows.max_threads_per_sm.view(), table.max_blocks_per_sm = rows.max_blocks_per_sm.view();
  table.max_registers_per_sm = rows.max_registers_per_sm.view(),
  table.max_shared_per_sm = rows.max_shared_per_sm.view();
  table.total_memory = rows.total_memory.view(), table.memory_bandwidth = rows.memory_bandwidth.view();
}

void set_people(Parts& state, const Threads& threads) {
  state.process_ids = threads.process_ids();
  state.thread_ids = threads.thread_ids();
  for (std::uint32_t t = 0; t < threads.thread_count(); ++t)
    state.process_of_thread.push_back(threads.process_of_thread(t));
  state.processes = {threads.process_count(), column(state.process_ids)};
  state.threads.rows = threads.thread_count();
  state.threads.process = column(state.process_of_thread);
  state.threads.id = column(state.thread_ids);
}

void add_issues(Parts& state, std::span<const Issue> issues) {
  for (const Issue& issue : issues) {
    state.issue_names.emplace_back(issue.name);
    state.issue_severities.push_back(issue.severity);
    state.issue_counts.push_back(issue.count);
    state.issue_texts.emplace_back(issue.text);
  }
  state.issue_table = {state.issue_names.size(), column(state.issue_names), column(state.issue_severities),
                       column(state.issue_counts), column(state.issue_texts)};
}

/// Sets the table up when the profile has it, and the report's pointer to it.
template <class Table, class Rows, class Set>
void point(const Table*& to, Table& table, const std::optional<Rows>& rows, Set set) {
  if (!rows) return;
  set(table, *rows);
  to = &table;
}

void set_work(Parts& state, const Profile::Store& store) {
  Report& report = state.report;
  point(report.kernels, state.kernels, store.kernels, [&](KernelTable& table, const KernelRows& rows) {
    set_kernels(table, rows);
    table.membership = column(state.windowed.kernels);
  });
  point(report.graphs, state.graphs, store.graphs, [&](GraphTable& table, const GraphRows& rows) {
    set_core(table, rows);
    table.graph = rows.graph.view();
    table.membership = column(state.windowed.graphs);
  });
  point(report.copies, state.copies, store.copies, [&](CopyTable& table, const CopyRows& rows) {
    set_core(table, rows);
    table.bytes = rows.bytes.view();
    table.direction = rows.direction.view();
    table.kind = rows.kind.view();
    table.context = rows.context.view();
    table.correlation = rows.correlation.view();
    table.source_kind = rows.source_kind.view(), table.target_kind = rows.target_kind.view();
    table.green_context = rows.green_context.view();
    table.address = rows.address.view();
    table.membership = column(state.windowed.copies);
  });
  point(report.sets, state.sets, store.sets, [&](SetTable& table, const SetRows& rows) {
    set_core(table, rows);
    table.bytes = rows.bytes.view();
    table.context = rows.context.view();
    table.correlation = rows.correlation.view();
    table.memory_kind = rows.memory_kind.view();
    table.green_context = rows.green_context.view();
    table.membership = column(state.windowed.sets);
  });
  point(report.syncs, state.syncs, store.syncs, [](SyncTable& table, const SyncRows& rows) {
    set_core(table, rows);
    table.type = rows.type.view();
  });
  point(report.overheads, state.overheads, store.overheads, [](OverheadTable& table, const OverheadRows& rows) {
    table = {rows.rows(), rows.start.view(), rows.end.view(), rows.process.view(), rows.name.view()};
  });
}

void set_host(Parts& state, const Profile::Store& store) {
  Report& report = state.report;
  point(report.calls, state.calls, store.calls, [&](CallTable& table, const CallRows& rows) {
    set_calls(table, rows);
    table.in_window = column(state.windowed.calls);
  });
  point(report.repeats, state.repeats, store.repeats, [&](CallTable& table, const CallRows& rows) {
    set_calls(table, rows);
    table.in_window = column(state.windowed.repeats);
  });
  point(report.ranges, state.ranges, store.ranges, &set_ranges);
  point(report.spans, state.spans, store.spans, &set_ranges);
  point(report.ops, state.ops, store.ops, &set_ops);
  point(report.allocations, state.allocations, store.allocations, &set_allocations);
}

void set_thread_names(Parts& state, const Profile::Store& store) {
  if (!store.thread_names) return;
  for (const std::string& name : store.thread_names->names) state.thread_names.emplace_back(name);
  state.threads.name = column(state.thread_names);
  state.threads.priority = column(store.thread_names->priorities);
}

void set_faults(PageFaultTable& table, const PageFaultRows& rows) {
  table.rows = rows.rows();
  table.start = rows.start.view();
  table.process = rows.process.view();
  table.address = rows.address.view();
  table.count = rows.count.view(), table.counter = rows.counter.view();
  table.function = rows.function.view();
  table.unresolved = rows.unresolved.view();
}

/// Events that other interfaces than CUDA recorded.
void set_others(Parts& state, const Profile::Store& store) {
  Report& report = state.report;
  const auto set_events = [](HostEventTable& table, const HostEventRows& rows) {
    table = {rows.rows(), rows.start.view(), rows.end.view(), rows.name.view(), rows.thread.view(), rows.source.view()};
  };
  point(report.os_calls, state.os_calls, store.os_calls, set_events);
  point(report.mpi_events, state.mpi_events, store.mpi_events, set_events);
  point(report.openacc_events, state.openacc_events, store.openacc_events, set_events);
  point(report.openmp_events, state.openmp_events, store.openmp_events, set_events);
  point(report.mpi, state.mpi, store.mpi_events, [](MpiTable& table, const HostEventRows& rows) {
    table = {rows.rows(),           rows.tag.view(),  rows.rank.view(),      rows.remote_rank.view(),
             rows.root_rank.view(), rows.size.view(), rows.sent_size.view(), rows.recv_size.view()};
  });
  point(report.cpu_faults, state.cpu_faults, store.cpu_faults, &set_faults);
  point(report.gpu_faults, state.gpu_faults, store.gpu_faults, &set_faults);
}

void set_counters(Parts& state, const Profile::Store& store) {
  point(state.report.profiled, state.profiled, store.profiled, &set_profiled);
  point(state.report.counters, state.counters, store.counters, [](CounterTable& table, const CounterRows& rows) {
    table = {rows.rows(),      rows.profiled.view(), rows.section.view(),
             rows.name.view(), rows.unit.view(),     rows.value.view()};
  });
}

void set_properties(Parts& state, const Profile::Store& store) {
  if (store.properties.empty()) return;
  for (const Property& property : store.properties) {
    state.property_names.emplace_back(property.name);
    state.property_values.emplace_back(property.value);
  }
  state.properties = {store.properties.size(), column(state.property_names), column(state.property_values)};
  state.report.properties = &state.properties;
}

void set_iterations(Parts& state, const Profile::Store& store, const IterationSpec& spec) {
  if (spec.nvtx.empty()) return;
  state.iteration_rows = find_iterations(store, spec, state.windowed.window);
  const IterationRows& rows = state.iteration_rows;
  if (rows.number.empty()) {
    state.issues.push_back(
        {"no_iterations", Severity::kWarning, 0,
         concat("No NVTX range in the window has a name like '", spec.nvtx, "'; nothing is said per iteration.")});
    return;
  }
  const auto overlapping = std::count(rows.overlapping.begin(), rows.overlapping.end(), 1);
  if (overlapping > 0) {
    state.issues.push_back(
        {"overlapping_iterations", Severity::kInfo, overlapping,
         concat(overlapping, " iterations overlap others in time; only calls of their own thread count for them.")});
  }
  state.iterations = {rows.number.size(), column(rows.number), column(rows.start),
                      column(rows.end),   column(rows.thread), column(rows.overlapping)};
  state.report.iterations = &state.iterations;
}

}  // namespace

struct Profile::View::State : Parts {};

Profile::View::View(std::unique_ptr<State> state) : state_(std::move(state)) {}
Profile::View::View(View&&) noexcept = default;
Profile::View::~View() = default;
const Report& Profile::View::report() const { return state_->report; }

Result<Profile::View> Profile::view(const WindowSpec& window, const IterationSpec& iterations) const {
  auto state = std::make_unique<View::State>();
  Result<Windowed> windowed = apply_window(*store_, window, state->issues);
  if (!windowed) return windowed.error();
  state->windowed = std::move(*windowed);
  if (state->windowed.unlinked > 0) {
    state->issues.push_back(
        {"unlinked", Severity::kInfo, state->windowed.unlinked,
         concat(
             state->windowed.unlinked,
             " device rows in the window have no launching API call in the report and belong to it by their start.")});
  }
  state->windowed.window.name = state->windowed.name;
  Report& report = state->report;
  report.path = store_->name;
  report.window = &state->windowed.window;
  report.strings = {store_->strings.all().data(), store_->strings.all().size()};
  set_work(*state, *store_);
  set_host(*state, *store_);
  set_others(*state, *store_);
  set_counters(*state, *store_);
  set_iterations(*state, *store_, iterations);
  set_devices(*state, store_->devices);
  set_properties(*state, *store_);
  set_people(*state, store_->threads);
  set_thread_names(*state, *store_);
  report.devices = &state->devices;
  report.processes = &state->processes;
  report.threads = &state->threads;
  add_issues(*state, store_->issues);
  add_issues(*state, state->issues);
  report.issues = &state->issue_table;
  return View(std::move(state));
}

}  // namespace assay
