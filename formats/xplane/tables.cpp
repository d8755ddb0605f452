#include "tables.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace assay::xplane {
namespace {

/// Writes a column from rows: `value(row)` in the order of the rows.
template <class Cells, class Rows, class Value>
void write(Cells cells, const Rows& rows, Value&& value) {
  std::ranges::transform(rows, cells.begin(), value);
}

constexpr auto kStart = [](const auto& row) { return row.start; };
constexpr auto kEnd = [](const auto& row) { return row.end; };

class TableFiller {
 public:
  TableFiller(const Profile& profile, Tables& to) : profile_(profile), to_(to), strings_(profile.texts.all().size()) {
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
    write(rows[&CallTable::start], profile_.calls, kStart), write(rows[&CallTable::end], profile_.calls, kEnd);
    write(rows[&CallTable::thread], profile_.calls, &Call::thread);
    write(rows[&CallTable::correlation], profile_.calls, &Call::correlation);
    write(rows[&CallTable::name], profile_.calls, [&](const Call& call) { return strings_[call.name]; });
    write(rows[&CallTable::kind], profile_.calls,
          [&](const Call& call) { return kind_of_call(profile_.texts[call.name], call.waits); });
  }

  void fill_ranges() {
    auto rows = to_.rows<RangeTable>(col::ranges, profile_.ranges.size());
    write(rows[&RangeTable::start], profile_.ranges, kStart), write(rows[&RangeTable::end], profile_.ranges, kEnd);
    write(rows[&RangeTable::thread], profile_.ranges, &HostEvent::thread);
    write(rows[&RangeTable::name], profile_.ranges, [&](const HostEvent& range) { return strings_[range.name]; });
  }

  void fill_ops() {
    auto rows = to_.rows<OpTable>(col::ops, profile_.functions.size());
    write(rows[&OpTable::start], profile_.functions, kStart), write(rows[&OpTable::end], profile_.functions, kEnd);
    write(rows[&OpTable::thread], profile_.functions, &HostEvent::thread);
    write(rows[&OpTable::name], profile_.functions, [&](const HostEvent& f) { return strings_[f.name]; });
    std::ranges::fill(rows[&OpTable::kind], OpKind::kPythonFunction);
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
  using WorkRows = std::vector<const Work*>;

  [[nodiscard]] WorkRows rows_of(WorkKind kind, std::size_t count) const {
    WorkRows rows;
    rows.reserve(count);
    for (const Work& work : profile_.work) {
      if (work.kind == kind) rows.push_back(&work);
    }
    return rows;
  }

  /// The columns that all work has.
  template <class Table>
  RowsOf<Table> fill_common(ColumnId table, const WorkRows& work) {
    auto rows = to_.rows<Table>(table, work.size());
    write(rows[&Table::start], work, &Work::start), write(rows[&Table::end], work, &Work::end);
    write(rows[&Table::device], work, &Work::device), write(rows[&Table::stream], work, &Work::stream);
    write(rows[&Table::context], work, &Work::context), write(rows[&Table::correlation], work, &Work::correlation);
    return rows;
  }

  void fill_kernels(const WorkRows& work) {
    auto rows = fill_common<KernelTable>(col::kernels, work);
    write(rows[&KernelTable::name], work, [&](const Work* k) { return strings_[k->name]; });
    write(rows[&KernelTable::graph_node], work, &Work::graph_node);
    const auto of_shape = [&](auto column, auto value) {
      write(rows[column], work, [&](const Work* k) { return value(profile_.launches[k->shape]); });
    };
    of_shape(&KernelTable::registers, [](const LaunchShape& s) { return s.registers; });
    of_shape(&KernelTable::static_shared, [](const LaunchShape& s) { return s.static_shared; });
    of_shape(&KernelTable::dynamic_shared, [](const LaunchShape& s) { return s.dynamic_shared; });
    of_shape(&KernelTable::grid_x, [](const LaunchShape& s) { return s.grid[0]; });
    of_shape(&KernelTable::grid_y, [](const LaunchShape& s) { return s.grid[1]; });
    of_shape(&KernelTable::grid_z, [](const LaunchShape& s) { return s.grid[2]; });
    of_shape(&KernelTable::block_x, [](const LaunchShape& s) { return s.block[0]; });
    of_shape(&KernelTable::block_y, [](const LaunchShape& s) { return s.block[1]; });
    of_shape(&KernelTable::block_z, [](const LaunchShape& s) { return s.block[2]; });
    of_shape(&KernelTable::occupancy, [](const LaunchShape& s) {  // 0: ROCm's profiler does not compute it
      return s.occupancy_percent > 0 ? s.occupancy_percent / 100 : std::numeric_limits<double>::quiet_NaN();
    });
  }

  void fill_copies(const WorkRows& work) {
    auto rows = fill_common<CopyTable>(col::copies, work);
    const auto shape = [&](const Work* copy) -> const TransferShape& { return profile_.transfers[copy->shape]; };
    write(rows[&CopyTable::bytes], work, [&](const Work* copy) { return shape(copy).bytes; });
    write(rows[&CopyTable::source_kind], work, [&](const Work* copy) { return shape(copy).source_kind; });
    write(rows[&CopyTable::target_kind], work, [&](const Work* copy) { return shape(copy).target_kind; });
    write(rows[&CopyTable::direction], work, [&](const Work* copy) { return direction(profile_.texts[copy->name]); });
  }

  void fill_sets(const WorkRows& work) {
    auto rows = fill_common<SetTable>(col::sets, work);
    write(rows[&SetTable::bytes], work, [&](const Work* set) { return profile_.transfers[set->shape].bytes; });
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
  Tables& to_;
  std::vector<StringId> strings_;
};

void add_machine(const Profile& profile, TableSink& to) {
  const std::uint32_t process = to.add_process(profile.process);
  for (const Thread& thread : profile.threads) to.add_thread(process, thread.id, thread.name);
  for (const Device& device : profile.devices) {
    DeviceView view;
    view.id = device.id, view.sm_count = device.cores, view.name = device.name.empty() ? device.vendor : device.name;
    view.compute_major = device.compute_major, view.compute_minor = device.compute_minor;
    view.total_memory = device.memory, view.memory_bandwidth = device.bandwidth, view.clock_rate = device.clock;
    to.add_device(view);
  }
  const auto property = [&](const char* name, std::string_view value) {
    if (!value.empty()) to.add_property(name, value);
  };
  property("hostname", profile.host), property("jax_version", profile.jax_version);
  property("cuda_driver_version", profile.driver_version), property("cuda_runtime_version", profile.cuda_version);
  if (profile.began > 0) property("origin_ns", std::to_string(profile.began));
}

void report_unread(const Profile& profile, TableSink& to) {
  constexpr std::size_t kMost = 50;  // names; of the rest the sum
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> unread;
  for (const Unread& part : profile.unread) {
    const bool known = unread.size() < kMost || unread.contains({part.part, part.name});
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

void fill_tables(const Profile& profile, Tables& to) {
  add_machine(profile, to.sink());
  TableFiller filler(profile, to);
  filler.fill_work(), filler.fill_calls(), filler.fill_ranges();
  filler.fill_ops(), filler.fill_overheads(), filler.fill_allocations();
  report_unread(profile, to.sink());
}

}  // namespace assay::xplane
