#include <cstdio>

#include "call_names.hpp"
#include "groups.hpp"
#include "kernel_names.hpp"
#include "remarks.hpp"
#include "reports.hpp"

namespace assay::nsys {
namespace {

/// Groups with their summaries, in the order of the report.
struct GroupSums {
  std::vector<std::uint32_t> order;
  std::vector<Summary> sums;  ///< in that order
};

/// Total descending, count ascending, then `name_before(a, b)` of two groups.
template <class NameBefore>
GroupSums in_order(const std::vector<Summary>& sums, NameBefore name_before) {
  GroupSums out;
  out.order = sorted_groups(sums.size(), [&](std::uint32_t a, std::uint32_t b) {
    if (sums[a].total != sums[b].total) return sums[a].total > sums[b].total;
    if (sums[a].count != sums[b].count) return sums[a].count < sums[b].count;
    return name_before(a, b);
  });
  out.sums = arranged(sums, out.order);
  return out;
}

std::vector<std::int64_t> totals_of(const std::vector<Summary>& sums) {
  std::vector<std::int64_t> totals;
  for (const Summary& s : sums) totals.push_back(s.total);
  return totals;
}

std::vector<std::int64_t> counts_of(const std::vector<Summary>& sums) {
  std::vector<std::int64_t> counts;
  for (const Summary& s : sums) counts.push_back(s.count);
  return counts;
}

/// Time (%), Total Time, the count and the spread of durations.
void add_times(ReportTable& made, const std::vector<Summary>& sums, const char* count) {
  Table& table = *made.table;
  made.values = values_of(sums);
  WideSum whole;
  for (const Summary& s : sums) whole.add(s.total);
  std::vector<double> shares;
  for (const Summary& s : sums) shares.push_back(percent(s.total, whole.value()));
  table.add("Time", "%", std::move(shares));
  table.add("Total Time", "ns", totals_of(sums));
  table.add(count, "", counts_of(sums));
  add_spread(table, "", sums);
}

template <class Events>
auto duration_in(const Events& events) {
  return [&events](std::size_t row) { return events.end[row] - events.start[row]; };
}

/// The same for a table that may be missing, in which case its names are not needed.
template <class Events>
auto durations(const Events* events) {
  return [events](std::size_t row) { return events->end[row] - events->start[row]; };
}

/// Copies and sets by operation: name and summary of each group.
struct Operations {
  std::vector<std::string> names;
  std::vector<Summary> sums;
};

template <class CopyValue, class SetValue>
Operations operations(const Report& report, const Task& task, CopyValue copy_value, SetValue set_value) {
  Operations out;
  if (report.copies != nullptr) {
    const CopyTable& copies = *report.copies;
    TupleIds<1> kinds;
    std::vector<std::uint32_t> group(copies.rows, kNoGroup);
    for (std::size_t row = 0; row < copies.rows; ++row) {
      const std::int32_t kind = copies.kind.present() ? copies.kind[row] : kNone;
      if (inside(copies, row)) group[row] = kinds.id_of({static_cast<std::uint32_t>(kind)});
    }
    out.sums = summarize_groups(group, kinds.size(), copy_value, task.keeps_values);
    for (const auto& [kind] : kinds.keys()) out.names.push_back(copy_operation(static_cast<std::int32_t>(kind)));
  }
  if (report.sets != nullptr) {
    const SetTable& sets = *report.sets;
    std::vector<std::uint32_t> group(sets.rows, kNoGroup);
    for (std::size_t row = 0; row < sets.rows; ++row) group[row] = inside(sets, row) ? 0 : kNoGroup;
    const std::vector<Summary> sum = summarize_groups(group, 1, set_value, task.keeps_values);
    if (sum.front().count > 0) {
      out.sums.push_back(sum.front());
      out.names.emplace_back(kSetOperation);
    }
  }
  return out;
}

constexpr const char* kNoKernels = "the export holds no CUDA kernels";
constexpr const char* kNoNames = "the kernels of this export have no names";
/// Groups of kernels by name.
std::vector<std::uint32_t> by_name(const KernelTable& kernels, KernelNames& names) {
  std::vector<std::uint32_t> group(kernels.rows, kNoGroup);
  for (std::size_t row = 0; row < kernels.rows; ++row) {
    if (inside(kernels, row)) group[row] = names.id_of(row);
  }
  return group;
}

/// Groups of calls by their full name: a call listed under two names counts under both.
class ByFullName {
 public:
  explicit ByFullName(const Report& report) : calls_(*report.calls), names_(report.strings.size) {
    for (std::size_t row = 0; row < calls_.rows; ++row) {
      if (calls_.in_window[row] != 0) names_.id_of(calls_.full_name[row]);
    }
  }
  [[nodiscard]] std::size_t size() const { return calls_.rows; }
  std::uint32_t operator[](std::size_t row) const {
    return calls_.in_window[row] != 0 ? names_.number(calls_.full_name[row]) : kNoGroup;
  }
  [[nodiscard]] const std::vector<StringId>& names() const { return names_.ids(); }

 private:
  const CallTable& calls_;
  DenseIds names_;
};

std::vector<Remark> both(std::vector<Remark> remarks, std::vector<Remark> more) {
  for (Remark& remark : more) remarks.push_back(std::move(remark));
  return remarks;
}

bool no_memory_tables(const Report& report) { return report.copies == nullptr && report.sets == nullptr; }

constexpr const char* kNoMemory = "the export holds no CUDA memory operations";

}  // namespace

std::string shape(std::int32_t x, std::int32_t y, std::int32_t z) {
  char text[48];
  std::snprintf(text, sizeof text, "%4d %4d %4d", x, y, z);
  return text;
}

std::string copy_operation(std::int32_t kind) {
  constexpr std::string_view kNames[] = {
      "Unknown",        "Host-to-Device",         "Device-to-Host",         "Host-to-Array",           "Array-to-Host",
      "Array-to-Array", "Array-to-Device",        "Device-to-Array",        "Device-to-Device",        "Host-to-Host",
      "Peer-to-Peer",   "Unified Host-to-Device", "Unified Device-to-Host", "Unified Device-to-Device"};
  const auto i = static_cast<std::size_t>(kind);
  return "[CUDA memcpy " + std::string(i < std::size(kNames) ? kNames[i] : kNames[0]) + "]";
}

ReportTable kernel_sum(const Report& report, const Task& task) {
  if (report.kernels == nullptr) return lacking(kNoKernels);
  KernelNames names(report, task);
  if (!names.present()) return lacking(kNoNames);
  const std::vector<std::uint32_t> group = by_name(*report.kernels, names);
  const GroupSums groups =
      in_order(summarize_groups(group, names.size(), duration_in(*report.kernels), task.keeps_values),
               [&](auto a, auto b) { return names.text(a) < names.text(b); });
  ReportTable made{table_of(task), {}, both(graph_remarks(report), names.remarks())};
  add_times(made, groups.sums, "Instances");
  std::vector<std::string> cells;
  for (const std::uint32_t name : groups.order) cells.emplace_back(names.text(name));
  made.table->add("Name", "", std::move(cells));
  return made;
}

ReportTable shape_sum(const Report& report, const Task& task) {
  if (report.kernels == nullptr) return lacking(kNoKernels);
  const KernelTable& k = *report.kernels;
  KernelNames names(report, task);
  if (!names.present() || !k.grid_x.present() || !k.grid_y.present() || !k.grid_z.present() || !k.block_x.present() ||
      !k.block_y.present() || !k.block_z.present()) {
    return lacking("the kernels of this export have no names, grids or blocks");
  }
  TupleIds<7> ids;
  std::vector<std::uint32_t> group(k.rows, kNoGroup);
  const auto number = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
  for (std::size_t r = 0; r < k.rows; ++r) {
    if (!inside(k, r)) continue;
    group[r] = ids.id_of({names.id_of(r), number(k.grid_x[r]), number(k.grid_y[r]), number(k.grid_z[r]),
                          number(k.block_x[r]), number(k.block_y[r]), number(k.block_z[r])});
  }
  const auto& keys = ids.keys();
  const GroupSums groups =
      in_order(summarize_groups(group, ids.size(), duration_in(k), task.keeps_values), [&](auto a, auto b) {
        const auto name = names.text(keys[a][0]), other = names.text(keys[b][0]);
        return name != other ? name < other : keys[a] < keys[b];
      });
  ReportTable made{table_of(task), {}, both(graph_remarks(report), names.remarks())};
  add_times(made, groups.sums, "Instances");
  std::vector<std::string> grids, blocks, cells;
  const auto signed_number = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
  for (const std::uint32_t g : groups.order) {
    grids.push_back(shape(signed_number(keys[g][1]), signed_number(keys[g][2]), signed_number(keys[g][3])));
    blocks.push_back(shape(signed_number(keys[g][4]), signed_number(keys[g][5]), signed_number(keys[g][6])));
    cells.emplace_back(names.text(keys[g][0]));
  }
  made.table->add("GridXYZ", "", std::move(grids));
  made.table->add("BlockXYZ", "", std::move(blocks));
  made.table->add("Name", "", std::move(cells));
  return made;
}

ReportTable call_sum(const Report& report, const Task& task) {
  if (report.calls == nullptr || !report.calls->full_name.present()) return lacking(kNoCalls);
  const CallTable& calls = *report.calls;
  const ByFullName group(report);
  const auto name = [&](std::uint32_t g) { return call_name(report.string(group.names()[g])); };
  const GroupSums groups =
      in_order(summarize_groups(group, group.names().size(), duration_in(calls), task.keeps_values),
               [&](auto a, auto b) { return name(a) < name(b); });
  ReportTable made{table_of(task), {}, {}};
  add_times(made, groups.sums, "Num Calls");
  std::vector<std::string> cells;
  for (const std::uint32_t g : groups.order) cells.emplace_back(name(g));
  made.table->add("Name", "", std::move(cells));
  return made;
}

ReportTable work_sum(const Report& report, const Task& task, bool with_calls) {
  if (report.kernels == nullptr && no_memory_tables(report) && (!with_calls || report.calls == nullptr))
    return lacking("the export holds no CUDA work of a GPU");
  std::vector<Summary> sums;
  std::vector<std::string> categories, names;
  const auto add = [&](std::vector<Summary> more, const char* category, auto name) {
    for (std::uint32_t g = 0; g < more.size(); ++g) {
      if (more[g].count == 0) continue;
      sums.push_back(more[g]);
      categories.emplace_back(category);
      names.emplace_back(name(g));
    }
  };
  ReportTable made{table_of(task), {}, graph_remarks(report)};
  if (with_calls && report.calls != nullptr && report.calls->full_name.present()) {
    CallNames ids(report);
    std::vector<std::uint32_t> group(report.calls->rows, kNoGroup);
    for (std::size_t row = 0; row < group.size(); ++row) {
      if (report.calls->in_window[row] != 0) group[row] = ids.id_of(report.calls->full_name[row]);
    }
    add(summarize_groups(group, ids.size(), duration_in(*report.calls), task.keeps_values), "CUDA_API",
        [&](std::uint32_t g) { return ids.text(g); });
  }
  if (report.kernels != nullptr) {
    KernelNames ids(report, task);
    if (!ids.present()) return lacking(kNoNames);
    const std::vector<std::uint32_t> group = by_name(*report.kernels, ids);
    add(summarize_groups(group, ids.size(), duration_in(*report.kernels), task.keeps_values), "CUDA_KERNEL",
        [&](std::uint32_t g) { return ids.text(g); });
    made.remarks = both(std::move(made.remarks), ids.remarks());
  }
  const Operations memory = operations(report, task, durations(report.copies), durations(report.sets));
  add(memory.sums, "MEMORY_OPER", [&](std::uint32_t g) { return memory.names[g]; });
  const GroupSums groups = in_order(
      sums, [&](auto a, auto b) { return names[a] != names[b] ? names[a] < names[b] : categories[a] < categories[b]; });
  add_times(made, groups.sums, "Instances");
  made.table->add("Category", "", arranged(categories, groups.order));
  made.table->add("Operation", "", arranged(names, groups.order));
  return made;
}

ReportTable memory_time_sum(const Report& report, const Task& task) {
  if (no_memory_tables(report)) return lacking(kNoMemory);
  const Operations found = operations(report, task, durations(report.copies), durations(report.sets));
  const GroupSums groups = in_order(found.sums, [&](auto a, auto b) { return found.names[a] < found.names[b]; });
  ReportTable made{table_of(task), {}, {}};
  add_times(made, groups.sums, "Count");
  made.table->add("Operation", "", arranged(found.names, groups.order));
  return made;
}

ReportTable memory_size_sum(const Report& report, const Task& task) {
  if (no_memory_tables(report)) return lacking(kNoMemory);
  const auto bytes = [](const auto* events) {
    return [events](std::size_t row) { return events->bytes.present() ? events->bytes[row] : 0; };
  };
  const Operations found = operations(report, task, bytes(report.copies), bytes(report.sets));
  const GroupSums groups = in_order(found.sums, [&](auto a, auto b) { return found.names[a] < found.names[b]; });
  ReportTable made{table_of(task), {}, {}};
  made.values = values_of(groups.sums);
  std::vector<double> totals;
  for (const Summary& s : groups.sums) totals.push_back(static_cast<double>(s.total) / 1e6);
  made.table->add("Total", "MB", std::move(totals));
  made.table->add("Count", "", counts_of(groups.sums));
  add_size_spread(*made.table, groups.sums);
  made.table->add("Operation", "", arranged(found.names, groups.order));
  return made;
}

}  // namespace assay::nsys
