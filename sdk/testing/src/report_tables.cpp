// Turns the added rows into a Report: sorted, linked, and laid out as tables.
#include "assay/detail/copy_kinds.hpp"
#include "assay/testing/report_builder.hpp"

namespace assay::testing {

StringId ReportBuilder::intern(const std::string& text) {
  const auto at = std::find(strings_.begin(), strings_.end(), text);
  if (at != strings_.end()) return static_cast<StringId>(at - strings_.begin());
  return append(strings_, text);
}

void ReportBuilder::sort_rows() {
  calls_.sort();
  kernels_.sort();
  for (auto* rows : {&graphs_, &copies_, &sets_, &syncs_, &overheads_}) rows->sort();
  causes_.sort();
  for (auto* rows : {&ranges_, &spans_}) rows->sort();
  iterations_.sort();
  ops_.sort();
  allocations_.sort();
}

void ReportBuilder::build_hosts() {
  if (processes_.empty()) process(1);
  if (threads_.empty()) thread(1);
  built_.processes = {processes_.size(), pool_.keep(processes_)};
  std::vector<std::uint32_t> process_of;
  std::vector<std::int64_t> ids;
  for (const auto& [process_row, id] : threads_) {
    process_of.push_back(process_row);
    ids.push_back(id);
  }
  built_.threads.rows = threads_.size();
  built_.threads.process = pool_.keep(process_of);
  built_.threads.id = pool_.keep(ids);
  built_.ranges = range_table(ranges_, true);
  built_.spans = range_table(spans_, false);
  built_.ops = op_table(pool_, ops_, [&](const std::string& text) { return intern(text); });
  built_.allocations = allocation_table(pool_, allocations_);
  built_.properties = property_table(pool_, properties_);
  const auto interned = [&](const std::string& text) { return intern(text); };
  built_.profiled = profiled_.table(pool_, interned);
  built_.counters = profiled_.counters(pool_, interned);
}

Row ReportBuilder::innermost(std::uint32_t thread_row, std::int64_t start, std::int64_t end, Row self) const {
  Row found = kNone;
  const auto added = [&](Row r) -> const AddedRange& { return ranges_.added[static_cast<std::size_t>(r)]; };
  for (Row r = 0; r < static_cast<Row>(ranges_.size()); ++r) {
    const AddedRange& range = added(r);
    const bool around = range.options.thread == thread_row && range.start <= start && range.end >= end;
    const bool same = range.start == start && range.end == end;
    if (!around || r == self || (self != kNone && same && r > self)) continue;
    const auto inner_first = [&](Row x) { return std::tuple(-added(x).start, added(x).end, -x); };
    if (found == kNone || inner_first(r) < inner_first(found)) found = r;
  }
  return found;
}

RangeTable ReportBuilder::range_table(const Rows<AddedRange>& rows, bool nested) {
  RangeTable t;
  t.rows = rows.size();
  t.start = column<std::int64_t>(rows, [](const AddedRange& r) { return r.start; });
  t.end = column<std::int64_t>(rows, [](const AddedRange& r) { return r.end; });
  t.name = column<StringId>(rows, [&](const AddedRange& r) { return intern(r.name); });
  t.domain = column<StringId>(rows, [&](const AddedRange& r) { return intern(r.options.domain); });
  t.thread = column<std::uint32_t>(rows, [](const AddedRange& r) { return r.options.thread; });
  t.end_thread =
      column<std::uint32_t>(rows, [](const AddedRange& r) { return r.options.end_thread.value_or(r.options.thread); });
  t.open = column<std::uint8_t>(rows, [](const AddedRange& r) { return r.options.open ? 1 : 0; });
  t.in_named_domain = column<std::uint8_t>(rows, [](const AddedRange& r) { return r.options.domain.empty() ? 0 : 1; });
  std::vector<Row> parent(rows.size(), kNone);
  std::vector<std::int32_t> depth(rows.size(), 0);
  for (std::size_t i = 0; nested && i < rows.size(); ++i) {
    const AddedRange& range = rows.at(i);
    parent[i] = rows.row(innermost(range.options.thread, range.start, range.end, static_cast<Row>(rows.order[i])));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (Row r = parent[i]; r != kNone; r = parent[static_cast<std::size_t>(r)]) ++depth[i];
  }
  std::vector<std::int64_t> reach(rows.size());
  compute_reach(t.start.view(), t.end.view(), reach);
  t.parent = pool_.keep(std::move(parent));
  t.depth = pool_.keep(std::move(depth));
  t.reach = pool_.keep(std::move(reach));
  return t;
}

void ReportBuilder::build_calls() {
  CallTable& t = built_.calls;
  t.rows = calls_.size();
  t.start = column<std::int64_t>(calls_, [](const AddedCall& c) { return c.start; });
  t.end = column<std::int64_t>(calls_, [](const AddedCall& c) { return c.end; });
  t.thread = column<std::uint32_t>(calls_, [](const AddedCall& c) { return c.thread; });
  t.kind = column<CallKind>(calls_, [](const AddedCall& c) { return c.kind; });
  t.in_window = column<std::uint8_t>(calls_, [](const AddedCall& c) { return c.options.in_window ? 1 : 0; });
  t.name = column<StringId>(calls_, [&](const AddedCall& c) { return intern(c.options.name); }, col::call_name);
  t.range = column<Row>(
      calls_, [&](const AddedCall& c) { return ranges_.row(innermost(c.thread, c.start, c.end, kNone)); },
      col::call_range);
  t.correlation =
      column<std::int64_t>(calls_, [](const AddedCall& c) { return c.options.correlation; }, col::call_correlation);
  t.op = column<Row>(calls_, [&](const AddedCall& c) { return ops_.row(op_of_call(ops_, c)); }, col::call_op);
  t.return_value =
      column<std::int32_t>(calls_, [](const AddedCall& c) { return c.options.return_value; }, col::call_return_value);
  t.full_name =
      column<StringId>(calls_, [&](const AddedCall& c) { return intern(c.options.name); }, col::call_full_name);
  if (std::any_of(calls_.added.begin(), calls_.added.end(),
                  [](const AddedCall& c) { return c.options.twin != kNone; })) {
    t.twin = column<Row>(calls_, [&](const AddedCall& c) { return calls_.row(c.options.twin); }, col::call_twin);
  }
}

void ReportBuilder::build_work() {
  core(built_.kernels, kernels_);
  core(built_.graphs, graphs_);
  core(built_.copies, copies_);
  core(built_.sets, sets_);
  core(built_.syncs, syncs_);
  const auto number = [](const AddedWork& w) { return w.number; };
  built_.graphs.graph = column<std::int64_t>(graphs_, number, col::graph_id);
  built_.copies.bytes = column<std::int64_t>(copies_, number, col::copy_bytes);
  built_.copies.direction =
      column<CopyDirection>(copies_, [](const AddedWork& w) { return w.direction; }, col::copy_direction);
  built_.copies.kind =
      column<std::int32_t>(copies_, [](const AddedWork& w) { return copy_kind_of(w.direction); }, col::copy_direction);
  const auto says_kind = [](const AddedWork& w) { return w.options.source_kind != MemoryKind::kUnknown; };
  if (std::any_of(copies_.added.begin(), copies_.added.end(), says_kind)) {
    built_.copies.source_kind =
        column<MemoryKind>(copies_, [](const AddedWork& w) { return w.options.source_kind; }, col::copy_memory_kinds);
    built_.copies.target_kind =
        column<MemoryKind>(copies_, [](const AddedWork& w) { return w.options.target_kind; }, col::copy_memory_kinds);
  }
  built_.sets.bytes = column<std::int64_t>(sets_, number, col::set_bytes);
  const auto kind_of_set = [](const AddedWork& w) { return w.options.target_kind; };
  if (std::any_of(sets_.added.begin(), sets_.added.end(),
                  [&](const auto& w) { return kind_of_set(w) != MemoryKind::kUnknown; }))
    built_.sets.memory_kind = column<MemoryKind>(sets_, kind_of_set, col::set_memory_kind);
  const auto context = [](const AddedWork& w) { return w.options.context; };
  built_.copies.context = column<std::int32_t>(copies_, context, col::copy_context);
  built_.sets.context = column<std::int32_t>(sets_, context, col::set_context);
  built_.overheads.rows = overheads_.size();
  built_.overheads.start = column<std::int64_t>(overheads_, [](const AddedWork& w) { return w.start; });
  built_.overheads.end = column<std::int64_t>(overheads_, [](const AddedWork& w) { return w.end; });
  built_.overheads.process = column<std::uint32_t>(overheads_, [](const AddedWork& w) { return w.options.process; });
  built_.causes.rows = causes_.size();
  built_.causes.start = column<std::int64_t>(causes_, [](const AddedRange& c) { return c.start; });
  built_.causes.end = column<std::int64_t>(causes_, [](const AddedRange& c) { return c.end; });
  built_.causes.thread = column<std::uint32_t>(causes_, [](const AddedRange& c) { return c.options.thread; });
  built_.causes.name = column<StringId>(causes_, [&](const AddedRange& c) { return intern(c.name); });
  built_.syncs.type = column<std::int32_t>(syncs_, number);
  build_kernels();
}

void ReportBuilder::build_kernels() {
  KernelTable& t = built_.kernels;
  const auto number = [&](auto member, ColumnId id) {
    return column<std::int32_t>(kernels_, [member](const AddedKernel& k) { return k.options.*member; }, id);
  };
  const auto size = [&](auto dim, auto axis, ColumnId id) {
    return column<std::int32_t>(kernels_, [dim, axis](const AddedKernel& k) { return k.options.*dim.*axis; }, id);
  };
  t.name = column<StringId>(kernels_, [&](const AddedKernel& k) { return intern(k.name); }, col::kernel_name);
  t.short_name = column<StringId>(
      kernels_,
      [&](const AddedKernel& k) {
        return intern(k.options.short_name.empty() ? k.name.substr(0, k.name.find_first_of("<("))
                                                   : k.options.short_name);
      },
      col::kernel_short_name);
  t.mangled_name = column<StringId>(
      kernels_, [&](const AddedKernel& k) { return intern(k.options.mangled_name); }, col::kernel_mangled_name);
  t.context = number(&KernelOptions::context, col::kernel_context);
  t.correlation = column<std::int64_t>(
      kernels_, [](const AddedKernel& k) { return k.options.correlation; }, col::kernel_correlation);
  t.grid_x = size(&KernelOptions::grid, &Dim3::x, col::kernel_grid);
  t.grid_y = size(&KernelOptions::grid, &Dim3::y, col::kernel_grid);
  t.grid_z = size(&KernelOptions::grid, &Dim3::z, col::kernel_grid);
  t.block_x = size(&KernelOptions::block, &Dim3::x, col::kernel_block);
  t.block_y = size(&KernelOptions::block, &Dim3::y, col::kernel_block);
  t.block_z = size(&KernelOptions::block, &Dim3::z, col::kernel_block);
  t.registers = number(&KernelOptions::registers, col::kernel_registers);
  t.static_shared = number(&KernelOptions::static_shared, col::kernel_shared);
  t.dynamic_shared = number(&KernelOptions::dynamic_shared, col::kernel_shared);
  t.executed_shared = number(&KernelOptions::executed_shared, col::kernel_shared);
  t.graph_node =
      column<std::int64_t>(kernels_, [](const AddedKernel& k) { return k.options.graph_node; }, col::kernel_graph_node);
  const auto estimate = [&](auto member, ColumnId id) {
    return column<double>(kernels_, [member](const AddedKernel& k) { return k.options.*member; }, id);
  };
  t.blocks_per_sm = estimate(&KernelOptions::blocks_per_sm, col::kernel_blocks_per_sm);
  t.warps_per_sm = estimate(&KernelOptions::warps_per_sm, col::kernel_warps_per_sm);
  t.occupancy = estimate(&KernelOptions::occupancy, col::kernel_occupancy);
  t.shared_a_block = number(&KernelOptions::shared_a_block, col::kernel_shared_a_block);
  t.op = column<Row>(kernels_, [&](const AddedKernel& k) { return op_of_kernel(k); }, col::kernel_op);
  if (profiled_.empty()) return;
  t.profiled = column<Row>(
      kernels_, [&](const AddedKernel& k) { return profiled_.group_of(k.options.profiled); }, col::kernel_profiled);
}

void ReportBuilder::build_collectives() {
  std::vector<AddedCollective> rows = collectives_;
  for (AddedCollective& c : rows) c.kernel = kernels_.row(c.kernel);
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.kernel < b.kernel; });
  const auto cells = [&]<class T>(T (*get)(ReportBuilder&, const AddedCollective&)) {
    std::vector<T> out;
    for (const AddedCollective& c : rows) out.push_back(get(*this, c));
    return pool_.keep(std::move(out));
  };
  using B = ReportBuilder;
  using C = AddedCollective;
  CollectiveTable& t = built_.collectives;
  t.rows = rows.size();
  t.kernel = cells(+[](B&, const C& c) { return c.kernel; });
  t.kind = cells(+[](B&, const C& c) { return c.kind; });
  t.group = cells(+[](B& b, const C& c) { return b.intern(c.options.group); });
  t.group_ranks = cells(+[](B& b, const C& c) { return b.intern(c.options.group_ranks); });
  t.group_size = cells(+[](B&, const C& c) { return c.options.group_size; });
  t.sequence = cells(+[](B&, const C& c) { return c.options.sequence; });
  t.sent = cells(+[](B&, const C& c) { return c.options.sent; });
  t.received = cells(+[](B&, const C& c) { return c.options.received; });
  t.dtype = cells(+[](B& b, const C& c) { return b.intern(c.options.dtype); });
}

Row ReportBuilder::op_of_kernel(const AddedKernel& kernel) const {
  const Row call = kernel.options.call;
  if (kernel.options.op) return ops_.row(*kernel.options.op);
  return call == kNone ? kNone : ops_.row(op_of_call(ops_, calls_.added.at(static_cast<std::size_t>(call))));
}

void ReportBuilder::build_iterations() {
  IterationTable& t = built_.iterations;
  t.rows = iterations_.size();
  t.number = column<std::int64_t>(iterations_, [](const AddedIteration& i) { return i.number; });
  t.start = column<std::int64_t>(iterations_, [](const AddedIteration& i) { return i.start; });
  t.end = column<std::int64_t>(iterations_, [](const AddedIteration& i) { return i.end; });
  t.thread = column<std::uint32_t>(iterations_, [](const AddedIteration& i) { return i.thread; });
  t.overlapping = column<std::uint8_t>(iterations_, [&](const AddedIteration& i) {
    const auto overlaps = [&](const AddedIteration& other) {
      return &other != &i && other.start < i.end && i.start < other.end;
    };
    return std::any_of(iterations_.added.begin(), iterations_.added.end(), overlaps) ? 1 : 0;
  });
}

/// As the host does; iterations are steps that somebody named.
void ReportBuilder::build_steps() {
  std::vector<step::StepPlace> named;
  for (const AddedIteration& i : iterations_.added)
    named.push_back({.start = i.start, .end = i.end, .thread = i.thread});
  Report& r = built_.report;
  steps_ = named.empty() ? step::find_step_rows(r, {}) : step::step_rows_at(r, std::move(named), {});
  built_.steps = steps_.table();
  r.steps = &built_.steps;
}

void ReportBuilder::build_devices() {
  std::map<std::int32_t, DeviceOptions> devices = devices_;
  const auto used = [&](const auto& rows) {
    for (const auto& row : rows.added) devices.try_emplace(row.options.device);
  };
  used(kernels_);
  for (const auto* rows : {&graphs_, &copies_, &sets_}) used(*rows);
  DeviceTable& t = built_.devices;
  t.rows = devices.size();
  std::vector<std::int32_t> ids;
  std::vector<Str> names;
  for (const auto& [id, options] : devices) {
    ids.push_back(id);
    const auto declared = devices_.find(id);
    names.push_back(declared == devices_.end() ? Str() : Str(declared->second.name));
  }
  const auto numbers = [&](auto member) {
    std::vector<std::remove_cvref_t<decltype(DeviceOptions{}.*member)>> cells;
    for (const auto& [id, options] : devices) cells.push_back(options.*member);
    return pool_.keep(std::move(cells));
  };
  t.id = pool_.keep(std::move(ids));
  t.name = pool_.keep(std::move(names));
  t.sm_count = numbers(&DeviceOptions::sm_count);
  t.compute_major = numbers(&DeviceOptions::compute_major);
  t.compute_minor = numbers(&DeviceOptions::compute_minor);
  t.max_threads_per_sm = numbers(&DeviceOptions::max_threads_per_sm);
  t.max_blocks_per_sm = numbers(&DeviceOptions::max_blocks_per_sm);
  t.max_registers_per_sm = numbers(&DeviceOptions::max_registers_per_sm);
  t.max_shared_per_sm = numbers(&DeviceOptions::max_shared_per_sm);
  t.total_memory = numbers(&DeviceOptions::total_memory);
  t.memory_bandwidth = numbers(&DeviceOptions::memory_bandwidth);
  t.clock_rate = numbers(&DeviceOptions::clock_rate);
  t.l2_size = numbers(&DeviceOptions::l2_size);
}

void ReportBuilder::build_window() {
  Window& w = built_.window;
  if (named_window_) {
    const auto& [name, projected, host] = *named_window_;
    w = {projected.start, projected.end, host.start, host.end, 1, 1, name};
    return;
  }
  std::optional<Interval> capture;
  const auto extend = [&](const auto& rows) {
    for (const auto& row : rows.added) {
      if (!capture) capture = Interval{row.start, row.end};
      capture = Interval{std::min(capture->start, row.start), std::max(capture->end, row.end)};
    }
  };
  extend(kernels_);
  extend(calls_);
  for (const auto* rows : {&graphs_, &copies_, &sets_}) extend(*rows);
  const Interval whole = capture.value_or(Interval{});
  w = {whole.start, whole.end, whole.start, whole.end, 0, 0, {}};
}

void ReportBuilder::fill_columns() {
  const auto fill = [&](auto& table, ColumnId id) {
    fill_listed(pool_, table, [&](const ListedColumn& listed) { return !absent_.contains(of_table(id, listed.id)); });
  };
  fill(built_.kernels, col::kernels);
  fill(built_.graphs, col::graphs);
  fill(built_.copies, col::copies);
  fill(built_.sets, col::sets);
  fill(built_.syncs, col::syncs);
  fill(built_.overheads, col::overheads);
  fill(built_.causes, col::causes);
  fill(built_.calls, col::calls);
  fill(built_.ranges, col::ranges);
  fill(built_.spans, col::spans);
  fill(built_.ops, col::ops);
  fill(built_.allocations, col::allocations);
  fill(built_.iterations, col::iterations);
  fill(built_.profiled, col::profiled);
  fill(built_.counters, col::counters);
  fill(built_.collectives, col::collectives);
}

void ReportBuilder::finish() {
  Report& r = built_.report;
  r.path = path_;
  r.window = &built_.window;
  r.strings = pool_.keep(std::vector<Str>(strings_.begin(), strings_.end()));
  set_table(r.kernels, built_.kernels, col::kernels);
  set_table(r.graphs, built_.graphs, col::graphs);
  set_table(r.copies, built_.copies, col::copies);
  set_table(r.sets, built_.sets, col::sets);
  set_table(r.calls, built_.calls, col::calls);
  set_table(r.ranges, built_.ranges, col::ranges);
  set_table(r.spans, built_.spans, col::spans);
  set_table(r.syncs, built_.syncs, col::syncs);
  set_table(r.overheads, built_.overheads, col::overheads);
  set_table(r.causes, built_.causes, col::causes);
  set_table(r.iterations, built_.iterations, col::iterations);
  set_table(r.ops, built_.ops, col::ops);
  set_table(r.allocations, built_.allocations, col::allocations);
  set_table(r.properties, built_.properties, col::properties);
  set_table(r.profiled, built_.profiled, col::profiled);
  set_table(r.collectives, built_.collectives, col::collectives);
  if (r.profiled != nullptr) r.counters = &built_.counters;
  std::vector<Str> names, texts;
  std::vector<Severity> severities;
  std::vector<std::int64_t> counts;
  for (const AddedIssue& issue : issues_) {
    names.emplace_back(issue.name);
    severities.push_back(issue.severity);
    counts.push_back(issue.count);
    texts.emplace_back(issue.text);
  }
  built_.issues = {issues_.size(), pool_.keep(names), pool_.keep(severities), pool_.keep(counts), pool_.keep(texts)};
  r.issues = &built_.issues;
  r.devices = &built_.devices;
  r.processes = &built_.processes;
  r.threads = &built_.threads;
}

}  // namespace assay::testing
