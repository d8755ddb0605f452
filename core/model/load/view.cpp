// A Report over a profile: the columns of the profile, and those of the window and iterations.
#include <fmt/core.h>
#include <fmt/format.h>

#include "algo/account/table.hpp"
#include "assay/algo/steps.hpp"
#include "assay/detail/column_of.hpp"
#include "assay/detail/step_finder.hpp"
#include "assay/format.hpp"
#include "load/window.hpp"

namespace assay {

using namespace load;

namespace {

/// Data owned by a view besides the profile it borrows.
struct ViewData {
  WindowMembership windowed;
  IterationRows iteration_rows;
  step::StepRows step_rows;
  account::AccountRows account_rows;
  std::vector<Issue> issues;

  Report report;
  KernelTable kernels;
  GraphTable graphs;
  CopyTable copies;
  SetTable sets;
  SyncTable syncs;
  OverheadTable overheads;
  CauseTable causes;
  CallTable calls, repeats;
  HostEventTable os_calls, mpi_events, openacc_events, openmp_events;
  MpiTable mpi;
  PageFaultTable cpu_faults, gpu_faults;
  RangeTable ranges, spans;
  IterationTable iterations;
  StepTable steps;
  AccountTable account;
  DeviceTable devices;
  ProcessTable processes;
  ThreadTable threads;
  IssueTable issue_table;
  OpTable ops;
  AllocationTable allocations;
  PropertyTable properties;
  ProfiledTable profiled;
  CounterTable counters;
  CollectiveTable collectives;
  std::vector<DeclaredTable> declared;
  std::vector<std::vector<DeclaredColumn>> declared_columns;
  std::vector<const DeclaredTable*> declared_tables;

  std::vector<Str> thread_names, device_names, issue_names, issue_texts, property_names, property_values;
  std::vector<Severity> issue_severities;
  std::vector<std::int64_t> issue_counts, process_ids, thread_ids;
  std::vector<std::uint32_t> process_of_thread;
};

using detail::column_of;

// set(table, rows): sets the columns of the list of report.hpp; those of the window are set separately.
#define ASSAY_SET_OWN(id, type, member, needed) table.member = rows.member.view();
#define ASSAY_LEAVE(id, type, member, needed)
#define ASSAY_SET(Table, Rows, COLUMNS)                \
  void set(Table& table, const Rows& rows) {           \
    table.rows = rows.rows();                          \
    COLUMNS(ASSAY_SET_OWN, ASSAY_SET_OWN, ASSAY_LEAVE) \
  }
ASSAY_SET(KernelTable, KernelRows, ASSAY_KERNEL_COLUMNS)
ASSAY_SET(GraphTable, GraphRows, ASSAY_GRAPH_COLUMNS)
ASSAY_SET(CopyTable, CopyRows, ASSAY_COPY_COLUMNS)
ASSAY_SET(SetTable, SetRows, ASSAY_SET_COLUMNS)
ASSAY_SET(SyncTable, SyncRows, ASSAY_SYNC_COLUMNS)
ASSAY_SET(OverheadTable, OverheadRows, ASSAY_OVERHEAD_COLUMNS)
ASSAY_SET(CauseTable, CauseRows, ASSAY_CAUSE_COLUMNS)
ASSAY_SET(CallTable, CallRows, ASSAY_CALL_COLUMNS)
ASSAY_SET(RangeTable, RangeRows, ASSAY_RANGE_COLUMNS)
ASSAY_SET(OpTable, OpRows, ASSAY_OP_COLUMNS)
ASSAY_SET(AllocationTable, AllocationRows, ASSAY_ALLOCATION_COLUMNS)
ASSAY_SET(ProfiledTable, ProfiledRows, ASSAY_PROFILED_COLUMNS)
ASSAY_SET(CounterTable, CounterRows, ASSAY_COUNTER_COLUMNS)
ASSAY_SET(HostEventTable, HostEventRows, ASSAY_HOST_EVENT_COLUMNS)
ASSAY_SET(MpiTable, HostEventRows, ASSAY_MPI_COLUMNS)
ASSAY_SET(PageFaultTable, PageFaultRows, ASSAY_PAGE_FAULT_COLUMNS)
ASSAY_SET(CollectiveTable, CollectiveRows, ASSAY_COLLECTIVE_COLUMNS)

void set_devices(ViewData& state, const load::DeviceRows& rows) {
  DeviceTable& table = state.devices;
  for (const std::string& name : rows.names) state.device_names.emplace_back(name);
  table.rows = rows.names.size();
  ASSAY_DEVICE_COLUMNS(ASSAY_SET_OWN, ASSAY_SET_OWN, ASSAY_LEAVE)
  table.name = column_of(state.device_names);
}
#undef ASSAY_SET
#undef ASSAY_LEAVE
#undef ASSAY_SET_OWN

void set_people(ViewData& state, const Threads& threads) {
  state.process_ids = threads.process_ids();
  state.thread_ids = threads.thread_ids();
  for (std::uint32_t t = 0; t < threads.thread_count(); ++t)
    state.process_of_thread.push_back(threads.process_of_thread(t));
  state.processes = {threads.process_count(), column_of(state.process_ids)};
  state.threads.rows = threads.thread_count();
  state.threads.process = column_of(state.process_of_thread);
  state.threads.id = column_of(state.thread_ids);
}

void add_issues(ViewData& state, std::span<const Issue> issues) {
  for (const Issue& issue : issues) {
    state.issue_names.emplace_back(issue.name);
    state.issue_severities.push_back(issue.severity);
    state.issue_counts.push_back(issue.count);
    state.issue_texts.emplace_back(issue.text);
  }
  state.issue_table = {state.issue_names.size(), column_of(state.issue_names), column_of(state.issue_severities),
                       column_of(state.issue_counts), column_of(state.issue_texts)};
}

/// Sets up the table and the report's pointer to it, if the profile has it.
template <class Table, class Rows>
void point(const Table*& to, Table& table, const std::optional<Rows>& rows) {
  if (!rows) return;
  set(table, *rows);
  to = &table;
}

void set_work(ViewData& state, const Profile::Store& store) {
  Report& report = state.report;
  point(report.kernels, state.kernels, store.kernels);
  if (store.kernels) state.kernels.membership = column_of(state.windowed.kernels);
  point(report.graphs, state.graphs, store.graphs);
  if (store.graphs) state.graphs.membership = column_of(state.windowed.graphs);
  point(report.copies, state.copies, store.copies);
  if (store.copies) state.copies.membership = column_of(state.windowed.copies);
  point(report.sets, state.sets, store.sets);
  if (store.sets) state.sets.membership = column_of(state.windowed.sets);
  point(report.syncs, state.syncs, store.syncs);
  point(report.overheads, state.overheads, store.overheads);
  point(report.causes, state.causes, store.causes);
  point(report.collectives, state.collectives, store.collectives);
}

void set_host(ViewData& state, const Profile::Store& store) {
  Report& report = state.report;
  point(report.calls, state.calls, store.calls);
  if (store.calls) state.calls.in_window = column_of(state.windowed.calls);
  point(report.repeats, state.repeats, store.repeats);
  if (store.repeats) state.repeats.in_window = column_of(state.windowed.repeats);
  point(report.ranges, state.ranges, store.ranges);
  point(report.spans, state.spans, store.spans);
  point(report.ops, state.ops, store.ops);
  point(report.allocations, state.allocations, store.allocations);
}

void set_thread_names(ViewData& state, const Profile::Store& store) {
  if (!store.thread_names) return;
  for (const std::string& name : store.thread_names->names) state.thread_names.emplace_back(name);
  state.threads.name = column_of(state.thread_names);
  state.threads.priority = column_of(store.thread_names->priorities);
}

/// Events recorded by interfaces other than CUDA.
void set_others(ViewData& state, const Profile::Store& store) {
  Report& report = state.report;
  point(report.os_calls, state.os_calls, store.os_calls);
  point(report.mpi_events, state.mpi_events, store.mpi_events);
  point(report.openacc_events, state.openacc_events, store.openacc_events);
  point(report.openmp_events, state.openmp_events, store.openmp_events);
  point(report.mpi, state.mpi, store.mpi_events);
  point(report.cpu_faults, state.cpu_faults, store.cpu_faults);
  point(report.gpu_faults, state.gpu_faults, store.gpu_faults);
}

void set_counters(ViewData& state, const Profile::Store& store) {
  point(state.report.profiled, state.profiled, store.profiled);
  point(state.report.counters, state.counters, store.counters);
}

void set_properties(ViewData& state, const Profile::Store& store) {
  if (store.properties.empty()) return;
  for (const Property& property : store.properties) {
    state.property_names.emplace_back(property.name);
    state.property_values.emplace_back(property.value);
  }
  state.properties = {store.properties.size(), column_of(state.property_names), column_of(state.property_values)};
  state.report.properties = &state.properties;
}

void set_declared(ViewData& state, const Profile::Store& store) {
  for (const DeclaredTableRows& rows : store.declared) {
    std::vector<DeclaredColumn>& columns = state.declared_columns.emplace_back();
    for (const DeclaredCells& cells : rows.columns) {
      const ColumnSpec& spec = *cells.spec;
      DeclaredColumn& column = columns.emplace_back(
          DeclaredColumn{.name = spec.name, .unit = spec.unit, .of = spec.of, .kind = spec.kind, .role = spec.role});
      column.cells = spec.kind == CellKind::kInteger ? static_cast<const void*>(cells.integers.view().data)
                     : spec.kind == CellKind::kReal  ? static_cast<const void*>(cells.reals.view().data)
                                                     : static_cast<const void*>(cells.texts.view().data);
    }
    state.declared.push_back({rows.rows, rows.spec->name, rows.spec->title, columns});
  }
  for (const DeclaredTable& table : state.declared) state.declared_tables.push_back(&table);
  if (!state.declared.empty()) state.report.declared = column_of(state.declared_tables);
}

void set_iterations(ViewData& state, const IterationRows& rows) {
  state.iterations = {rows.number.size(),  column_of(rows.number), column_of(rows.start),
                      column_of(rows.end), column_of(rows.thread), column_of(rows.overlapping)};
  state.report.iterations = &state.iterations;
}

void set_iterations(ViewData& state, const Profile::Store& store, const IterationSpec& spec) {
  if (spec.nvtx.empty()) return;
  state.iteration_rows = find_iterations(store, spec, state.windowed.window);
  drop_without_kernels(store, state.iteration_rows);
  const IterationRows& rows = state.iteration_rows;
  if (rows.number.empty()) {
    state.issues.push_back(
        {"no_iterations", Severity::kWarning, 0,
         fmt::format("No NVTX range in the window has a name like '{}'{}; there are no values per iteration.",
                     fmt::join(spec.nvtx, "' or '"), nearest_ranges(store, spec.nvtx.front(), true))});
    return;
  }
  if (rows.left_out > 0) {
    state.issues.push_back({"iterations_without_kernels", Severity::kWarning, static_cast<std::int64_t>(rows.left_out),
                            fmt::format("{} of {} iterations are left out: launches in them lost their kernels.",
                                        rows.left_out, rows.left_out + rows.number.size())});
  }
  const auto overlapping = std::count(rows.overlapping.begin(), rows.overlapping.end(), 1);
  if (overlapping > 0) {
    state.issues.push_back(
        {"overlapping_iterations", Severity::kInfo, overlapping,
         fmt::format("{} iterations overlap others in time; only calls of their own thread count for them.",
                     overlapping)});
  }
  set_iterations(state, rows);
}

/// Needs every other table of the report.
void set_steps(ViewData& state, const Profile::Store& store, const IterationSpec& named) {
  const bool several = std::ranges::any_of(store.properties, [](const Property& property) {
    return (property.name.ends_with(".WORLD_SIZE") || property.name.ends_with(".world_size")) && property.value != "1";
  });
  state.step_rows = step::find_step_rows(
      state.report, {.named = named.nvtx, .lost_launches = store.lost_launches, .rank_of_several = several});
  state.steps = state.step_rows.table();
  state.report.steps = &state.steps;
  if (!store.account_asked) return;
  state.account_rows = account::account_rows(state.report);
  state.account = state.account_rows.table();
  state.report.account = &state.account;
}

/// The steps that are examples of all as iterations.
void set_iterations(ViewData& state) {
  step::Steps steps = step::steps_of(state.report);
  if (!steps.found()) return;
  std::ranges::stable_sort(steps.kept, {}, [](const step::Step& step) { return step.host.start; });
  IterationRows& rows = state.iteration_rows = {};
  for (const step::Step& step : steps.kept) {
    rows.number.push_back(step.number);
    rows.start.push_back(step.host.start);
    rows.end.push_back(step.host.end);
    rows.thread.push_back(step.thread);
  }
  rows.overlapping.assign(rows.number.size(), 0);
  set_iterations(state, rows);
}

}  // namespace

struct Profile::View::State : ViewData {};

Profile::View::View(std::unique_ptr<State> state) : state_(std::move(state)) {}
Profile::View::View(View&&) noexcept = default;
Profile::View::~View() = default;
const Report& Profile::View::report() const { return state_->report; }

Result<Profile::View> Profile::view(const WindowSpec& window, const IterationSpec& iterations, Iterations from) const {
  auto state = std::make_unique<View::State>();
  Result<WindowMembership> windowed = apply_window(*store_, window, state->issues);
  if (!windowed) return windowed.error();
  state->windowed = std::move(*windowed);
  if (state->windowed.unlinked > 0) {
    state->issues.push_back({"unlinked", Severity::kInfo, state->windowed.unlinked,
                             fmt::format("{} device rows in the window have no launching API call in the profile; they "
                                         "count because they start in the window.",
                                         state->windowed.unlinked)});
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
  if (from == Iterations::kDeclared || !iterations.nvtx.empty()) set_iterations(*state, *store_, iterations);
  set_devices(*state, store_->devices);
  set_properties(*state, *store_);
  set_declared(*state, *store_);
  set_people(*state, store_->threads);
  set_thread_names(*state, *store_);
  report.devices = &state->devices;
  report.processes = &state->processes;
  report.threads = &state->threads;
  if (store_->steps_asked) set_steps(*state, *store_, iterations);
  if (from == Iterations::kSteps) set_iterations(*state);
  add_issues(*state, store_->issues);
  add_issues(*state, state->issues);
  report.issues = &state->issue_table;
  return View(std::move(state));
}

}  // namespace assay
