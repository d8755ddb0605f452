#include "tables.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "operators.hpp"

namespace assay::xplane {
namespace {

/// Writes a column: `value(row)` for each row in order.
template <class Cells, class Rows, class Value>
void write(Cells cells, const Rows& rows, Value&& value) {
  std::ranges::transform(rows, cells.begin(), value);
}

constexpr auto kStart = [](const auto& row) { return row.start; };
constexpr auto kEnd = [](const auto& row) { return row.end; };

class TableFiller {
 public:
  TableFiller(const Profile& profile, const Operators& operators, Tables& to)
      : profile_(profile), operators_(operators), to_(to), strings_(profile.texts.all().size()) {
    const std::vector<Str> texts(profile.texts.all().begin(), profile.texts.all().end());
    to_.sink().intern_all(texts, strings_.data());
  }

  void fill_work() {
    std::size_t counts[3] = {};
    for (const Work& work : profile_.work) ++counts[static_cast<std::size_t>(work.kind)];
    fill_kernels(rows_of(WorkKind::kKernel, counts[0]));
    fill_copies(rows_of(WorkKind::kCopy, counts[1]));
    fill_sets(rows_of(WorkKind::kSet, counts[2]));
  }

  void fill_calls() {
    auto rows = to_.rows<CallTable>(col::calls, profile_.calls.size());
    write(rows[&CallTable::start], profile_.calls, kStart);
    write(rows[&CallTable::end], profile_.calls, kEnd);
    write(rows[&CallTable::thread], profile_.calls, &Call::thread);
    write(rows[&CallTable::correlation], profile_.calls, &Call::correlation);
    write(rows[&CallTable::name], profile_.calls, [&](const Call& call) { return strings_[call.name]; });
    write(rows[&CallTable::kind], profile_.calls, [&](const Call& call) {
      return call.syncs ? CallKind::kDeviceSync : kind_of_call(profile_.texts[call.name], call.waits);
    });
  }

  void fill_ranges() {
    auto rows = to_.rows<RangeTable>(col::ranges, profile_.ranges.size());
    write(rows[&RangeTable::start], profile_.ranges, kStart);
    write(rows[&RangeTable::end], profile_.ranges, kEnd);
    write(rows[&RangeTable::thread], profile_.ranges, &HostEvent::thread);
    write(rows[&RangeTable::name], profile_.ranges, [&](const HostEvent& range) { return strings_[range.name]; });
  }

  /// Python functions, ranges of the runtime and operators, sorted as by the host. The id of an operator is its index
  /// among the operators, from 1.
  void fill_ops() {
    const std::size_t functions = profile_.functions.size(), on_host = functions + profile_.runtime.size();
    const std::vector<std::uint32_t> order = order_of_ops();
    auto rows = to_.rows<OpTable>(col::ops, order.size());
    const auto start = rows[&OpTable::start], end = rows[&OpTable::end], id = rows[&OpTable::external_id];
    const auto module = rows[&OpTable::python_module];
    const auto name = rows[&OpTable::name];
    const auto thread = rows[&OpTable::thread];
    const auto kind = rows[&OpTable::kind];
    if (to_.wants(col::op_python_ids)) {
      for (auto column : {&OpTable::python_id, &OpTable::python_parent}) std::ranges::fill(rows[column], kNone);
    }
    const auto fill = [&](std::size_t row, const auto& of, OpKind of_kind) {
      start[row] = of.start;
      end[row] = of.end;
      name[row] = strings_[of.name];
      thread[row] = of.thread;
      kind[row] = of_kind;
      id[row] = module[row] = kNone;
    };
    for (std::size_t row = 0; row < order.size(); ++row) {
      const std::size_t from = order[row];
      if (from < functions) {
        fill(row, profile_.functions[from], OpKind::kPythonFunction);
      } else if (from < on_host) {
        fill(row, profile_.runtime[from - functions], OpKind::kOperator);
      } else {
        const OperatorRow& of = operators_.rows[from - on_host];
        const bool is_module = of.kind == OperatorKind::kModule;
        fill(row, of, is_module ? OpKind::kPythonFunction : OpKind::kOperator);
        id[row] = static_cast<std::int64_t>(from - on_host) + 1;
        if (is_module) module[row] = std::int64_t{of.name};
      }
    }
    fill_op_works(rows, order, on_host);
  }

  void fill_overheads() {
    auto rows = to_.rows<OverheadTable>(col::overheads, profile_.overheads.size());
    write(rows[&OverheadTable::start], profile_.overheads, kStart);
    write(rows[&OverheadTable::end], profile_.overheads, kEnd);
    write(rows[&OverheadTable::name], profile_.overheads, [&](const HostEvent& o) { return strings_[o.name]; });
  }

  void fill_allocations() {
    auto rows = to_.rows<AllocationTable>(col::allocations, profile_.allocations.size());
    write(rows[&AllocationTable::time], profile_.allocations, &Allocation::time);
    write(rows[&AllocationTable::device], profile_.allocations, &Allocation::device);
    write(rows[&AllocationTable::bytes], profile_.allocations, &Allocation::bytes);
    write(rows[&AllocationTable::allocated], profile_.allocations, &Allocation::allocated);
    write(rows[&AllocationTable::reserved], profile_.allocations, &Allocation::reserved);
    write(rows[&AllocationTable::thread], profile_.allocations, &Allocation::thread);
  }

 private:
  using WorkRows = std::vector<std::uint32_t>;  ///< rows of Profile::work

  /// Functions, then runtime ranges, then operators, by start, end and that order. Each stream is nearly sorted, so
  /// merging streams is faster than sorting everything.
  [[nodiscard]] std::vector<std::uint32_t> order_of_ops() const {
    const std::size_t functions = profile_.functions.size(), on_host = functions + profile_.runtime.size();
    const auto times = [&](std::size_t row) {
      const auto of = [](const auto& event) { return std::pair(event.start, event.end); };
      return row < functions ? of(profile_.functions[row])
             : row < on_host ? of(profile_.runtime[row - functions])
                             : of(operators_.rows[row - on_host]);
    };
    const auto before = [&](std::uint32_t a, std::uint32_t b) { return times(a) < times(b); };
    std::vector<std::uint32_t> order(on_host + operators_.rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::vector<std::size_t> runs{0};
    for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
      while (to < order.size() && times(to).first == times(from).first) ++to;
      std::stable_sort(order.data() + from, order.data() + to, before);
      if (to < order.size() && times(to).first < times(from).first) runs.push_back(to);
    }
    constexpr std::size_t kManyRuns = 64;
    if (runs.size() > kManyRuns) {
      std::ranges::stable_sort(order, before);
      return order;
    }
    for (std::size_t run = 1; run < runs.size(); ++run) {
      const std::size_t to = run + 1 < runs.size() ? runs[run + 1] : order.size();
      std::inplace_merge(order.data(), order.data() + runs[run], order.data() + to, before);
    }
    return order;
  }

  /// Work of the operators and the shapes of their operands; `on_host`: number of rows before them.
  void fill_op_works(RowsOf<OpTable>& rows, const std::vector<std::uint32_t>& order, std::size_t on_host) {
    const auto fill = [&](auto member, auto none, auto&& value) {
      const auto cells = rows[member];
      for (std::size_t row = 0; row < order.size(); ++row) {
        const std::int32_t work = order[row] < on_host ? -1 : operators_.rows[order[row] - on_host].work;
        cells[row] = work < 0 ? none : value(static_cast<std::size_t>(work));
      }
    };
    const auto number = [&](auto member, double OperatorWork::* of) {
      fill(member, std::numeric_limits<double>::quiet_NaN(), [&](std::size_t w) { return operators_.works[w].*of; });
    };
    const auto text = [&](auto member, auto OperatorWork::* of) {
      std::vector<StringId> ids;
      for (const OperatorWork& work : operators_.works) ids.push_back(to_.intern(work.*of));
      fill(member, StringId{0}, [&](std::size_t w) { return ids[w]; });
    };
    if (to_.wants(col::op_work)) {
      number(&OpTable::flops, &OperatorWork::flops);
      number(&OpTable::least_bytes, &OperatorWork::bytes);
      text(&OpTable::work_kind, &OperatorWork::kind);
      text(&OpTable::arithmetic, &OperatorWork::arithmetic);
    }
    if (to_.wants(col::op_inputs)) {
      text(&OpTable::input_dims, &OperatorWork::dims);
      text(&OpTable::input_types, &OperatorWork::types);
    }
  }

  [[nodiscard]] WorkRows rows_of(WorkKind kind, std::size_t count) const {
    WorkRows rows;
    rows.reserve(count);
    for (std::size_t w = 0; w < profile_.work.size(); ++w) {
      if (profile_.work[w].kind == kind) rows.push_back(static_cast<std::uint32_t>(w));
    }
    return rows;
  }

  /// The columns common to all work, in one pass over the rows.
  template <class Table>
  RowsOf<Table> fill_common(ColumnId table, const WorkRows& work) {
    auto rows = to_.rows<Table>(table, work.size());
    const auto start = rows[&Table::start], end = rows[&Table::end], correlation = rows[&Table::correlation];
    const auto device = rows[&Table::device], stream = rows[&Table::stream], context = rows[&Table::context];
    for (std::size_t r = 0; r < work.size(); ++r) {
      const Work& of = profile_.work[work[r]];
      start[r] = of.start;
      end[r] = of.end;
      correlation[r] = of.correlation;
      device[r] = of.device;
      stream[r] = of.stream;
      context[r] = of.context;
    }
    return rows;
  }

  void fill_kernels(const WorkRows& work) {
    auto rows = fill_common<KernelTable>(col::kernels, work);
    const auto name = rows[&KernelTable::name];
    const auto node = rows[&KernelTable::graph_node];
    for (std::size_t r = 0; r < work.size(); ++r) {
      name[r] = strings_[profile_.work[work[r]].name];
      node[r] = profile_.work[work[r]].graph_node;
    }
    if (!operators_.of_work.empty()) {
      const auto op = to_.links<std::int64_t>(col::kernels, LinkColumn::kOperator, work.size());
      for (std::size_t r = 0; r < work.size(); ++r) {
        const std::int32_t row = operators_.of_work[work[r]];
        op[r] = row < 0 ? kNone : row + 1;
      }
    }
    fill_shapes(rows, work);
  }

  /// The requested columns of launch shapes.
  void fill_shapes(RowsOf<KernelTable>& rows, const WorkRows& work) {
    std::vector<std::uint32_t> shapes(work.size());
    std::ranges::transform(work, shapes.begin(), [&](std::uint32_t w) { return profile_.work[w].shape; });
    const auto fill = [&](ColumnId id, auto column, auto value) {
      if (to_.wants(id))
        write(rows[column], shapes, [&](std::uint32_t shape) { return value(profile_.launches[shape]); });
    };
    fill(col::kernel_registers, &KernelTable::registers, [](const LaunchShape& of) { return of.registers; });
    fill(col::kernel_shared, &KernelTable::static_shared, [](const LaunchShape& of) { return of.static_shared; });
    fill(col::kernel_shared, &KernelTable::dynamic_shared, [](const LaunchShape& of) { return of.dynamic_shared; });
    fill(col::kernel_grid, &KernelTable::grid_x, [](const LaunchShape& of) { return of.grid[0]; });
    fill(col::kernel_grid, &KernelTable::grid_y, [](const LaunchShape& of) { return of.grid[1]; });
    fill(col::kernel_grid, &KernelTable::grid_z, [](const LaunchShape& of) { return of.grid[2]; });
    fill(col::kernel_block, &KernelTable::block_x, [](const LaunchShape& of) { return of.block[0]; });
    fill(col::kernel_block, &KernelTable::block_y, [](const LaunchShape& of) { return of.block[1]; });
    fill(col::kernel_block, &KernelTable::block_z, [](const LaunchShape& of) { return of.block[2]; });
    fill(col::kernel_occupancy, &KernelTable::occupancy, [](const LaunchShape& of) {
      // 0: not computed, as by ROCm's profiler
      return of.occupancy_percent > 0 ? of.occupancy_percent / 100 : std::numeric_limits<double>::quiet_NaN();
    });
  }

  void fill_copies(const WorkRows& work) {
    auto rows = fill_common<CopyTable>(col::copies, work);
    const auto shape = [&](std::uint32_t w) -> const TransferShape& {
      return profile_.transfers[profile_.work[w].shape];
    };
    write(rows[&CopyTable::bytes], work, [&](std::uint32_t w) { return shape(w).bytes; });
    write(rows[&CopyTable::source_kind], work, [&](std::uint32_t w) { return shape(w).source_kind; });
    write(rows[&CopyTable::target_kind], work, [&](std::uint32_t w) { return shape(w).target_kind; });
    write(rows[&CopyTable::direction], work,
          [&](std::uint32_t w) { return direction(profile_.texts[profile_.work[w].name]); });
  }

  void fill_sets(const WorkRows& work) {
    auto rows = fill_common<SetTable>(col::sets, work);
    write(rows[&SetTable::bytes], work,
          [&](std::uint32_t w) { return profile_.transfers[profile_.work[w].shape].bytes; });
  }

  static CopyDirection direction(std::string_view name) {
    constexpr std::pair<std::string_view, CopyDirection> kDirections[] = {{"H2D", CopyDirection::kHostToDevice},
                                                                          {"D2H", CopyDirection::kDeviceToHost},
                                                                          {"D2D", CopyDirection::kDeviceToDevice},
                                                                          {"P2P", CopyDirection::kPeerToPeer},
                                                                          {"H2H", CopyDirection::kHostToHost}};
    for (const auto& [end, direction] : kDirections) {
      if (name.ends_with(end)) return direction;
    }
    return CopyDirection::kUnknown;
  }

  static CallKind kind_of_call(std::string_view name, bool waits) {
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (has("GraphLaunch")) return CallKind::kGraphLaunch;
    if (has("LaunchHostFunc") || has("Graph")) return CallKind::kOther;
    if (has("Launch")) return CallKind::kKernelLaunch;
    if (has("DeviceSynchronize") || has("CtxSynchronize")) return CallKind::kDeviceSync;
    if (has("StreamSynchronize")) return CallKind::kStreamSync;
    if (has("EventSynchronize")) return CallKind::kEventSync;
    if (has("Memcpy")) return waits ? CallKind::kBlockingCopy : CallKind::kCopy;
    return has("Memset") ? CallKind::kSet : CallKind::kOther;
  }

  const Profile& profile_;
  const Operators& operators_;
  Tables& to_;
  std::vector<StringId> strings_;
};

void add_machine(const Profile& profile, const Operators& operators, TableSink& to) {
  const std::uint32_t process = to.add_process(profile.process);
  for (const Thread& thread : profile.threads) to.add_thread(process, thread.id, thread.name);
  for (const TextId name : operators.threads) to.add_thread(process, kNone, profile.texts[name]);
  for (const Device& device : profile.devices) {
    DeviceView view;
    view.id = device.id;
    view.sm_count = device.cores;
    view.name = device.name.empty() ? device.vendor : device.name;
    view.compute_major = device.compute_major;
    view.compute_minor = device.compute_minor;
    view.total_memory = device.memory;
    view.memory_bandwidth = device.bandwidth;
    view.clock_rate = device.clock;
    to.add_device(view);
  }
  const auto property = [&](const char* name, std::string_view value) {
    if (!value.empty()) to.add_property(name, value);
  };
  property("hostname", profile.host);
  property("jax_version", profile.jax_version);
  property("cuda_driver_version", profile.driver_version);
  property("cuda_runtime_version", profile.cuda_version);
  if (profile.began > 0) property("origin_ns", std::to_string(profile.began));
  if (operators.by_order > 0)
    property("operators", std::to_string(operators.by_order) + " kernels of CUDA graphs by the order of their program");
}

void report_operators(const Operators& operators, TableSink& to) {
  if (operators.unknown > 0) {
    to.issue("operators_unknown", Severity::kWarning, static_cast<std::int64_t>(operators.unknown),
             std::to_string(operators.unknown) +
                 " kernels of CUDA graphs fit no instruction of their program: they count to the graph.");
  }
  if (operators.uncertain > 0) {
    to.issue("operators_uncertain", Severity::kWarning, static_cast<std::int64_t>(operators.uncertain),
             std::to_string(operators.uncertain) +
                 " kernels and sets of CUDA graphs lie between operators that are sure, and do not fit in number: the "
                 "operator may be a neighbour.");
  }
}

void report_unread(const Profile& profile, TableSink& to) {
  constexpr std::size_t kMax = 50;  // number of names; the rest is summed
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> unread;
  for (const Unread& part : profile.unread) {
    const bool known = unread.size() < kMax || unread.contains({part.part, part.name});
    unread[known ? std::pair(part.part, part.name) : std::pair<std::string_view, std::string_view>("part", "others")] +=
        part.rows;
  }
  for (const auto& [part, rows] : unread) to.passed_over(part.first, part.second, rows);
  if (!profile.tpu_plane.empty()) {
    to.issue("tpu_not_read", Severity::kWarning, profile.tpu_rows,
             "The work of TPUs is not read: " + std::to_string(profile.tpu_rows) + " events of planes such as '" +
                 std::string(profile.tpu_plane) + "'; XProf shows them.");
  }
  if (profile.unnamed > 0) {
    to.issue(
        "unnamed_events", Severity::kWarning, profile.unnamed,
        std::to_string(profile.unnamed) + " events refer to names that the file does not have; they are left out.");
  }
}

}  // namespace

void fill_tables(Profile& profile, Tables& to) {
  const bool with_operators = to.wants(col::ops) || to.wants(col::kernel_op);
  const bool with_work = to.wants(col::op_work) || to.wants(col::op_inputs);
  const Operators operators = with_operators ? find_operators(profile, with_work) : Operators{};
  add_machine(profile, operators, to.sink());
  TableFiller filler(profile, operators, to);
  filler.fill_work();
  filler.fill_calls();
  if (to.wants(col::ranges)) filler.fill_ranges();
  if (with_operators) filler.fill_ops();
  if (to.wants(col::overheads)) filler.fill_overheads();
  if (to.wants(col::allocations)) filler.fill_allocations();
  report_operators(operators, to.sink());
  report_unread(profile, to.sink());
}

}  // namespace assay::xplane
