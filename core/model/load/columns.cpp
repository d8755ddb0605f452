#include "load/columns.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "assay/detail/columns.hpp"

namespace assay {
namespace {

std::uint16_t number_in_table(ColumnId id) { return static_cast<std::uint16_t>(static_cast<unsigned>(id) & 0xFF); }

template <auto Table>
bool has_table(const Report& report) {
  return report.*Table != nullptr;
}

/// Columns of the list in report.hpp that the id needs. If two tables share a struct, only the first gives its name to
/// the ids; columns of the other are identified by their offset.
template <auto Table>
bool has_listed(const Report& report, ColumnId id) {
  if (report.*Table == nullptr) return false;
  bool all = true;
  each_column(*(report.*Table), [&](const ListedColumn& listed, const auto& column) {
    if (listed.needed && number_in_table(listed.id) == number_in_table(id)) all = all && column.present();
  });
  return all;
}

template <auto Table, auto... Columns>
bool has_these(const Report& report, ColumnId /*id*/) {
  const auto* table = report.*Table;
  return table != nullptr && ((table->*Columns).present() && ...);
}

bool has_declared(const Report& report) { return report.declared.present(); }
bool has_all_declared(const Report& report, ColumnId /*id*/) { return has_declared(report); }

/// A table of Report; its columns with ids of their own follow from the list.
struct TableInfo {
  ColumnId id;
  std::string_view name;   ///< of the member of Report
  std::string_view table;  ///< for people
  bool (*has_table)(const Report&);
  bool (*has_column)(const Report&, ColumnId);
  std::vector<ListedColumn> (*columns)();  ///< null: no column has an id of its own
};

template <auto Table>
std::vector<ListedColumn> columns_of() {
  std::vector<ListedColumn> columns;
  const std::remove_cvref_t<decltype(*(Report{}.*Table))> table;
  each_column(table, [&](const ListedColumn& listed, const auto&) { columns.push_back(listed); });
  return columns;
}

template <auto Table>
constexpr TableInfo table(ColumnId id, std::string_view name, std::string_view words) {
  return {id, name, words, &has_table<Table>, &has_listed<Table>, &columns_of<Table>};
}

/// A table that needs other columns than the first table of its struct; its columns have no ids.
template <auto Table, auto... Needed>
constexpr TableInfo table_needing(ColumnId id, std::string_view name, std::string_view words) {
  return {id, name, words, &has_table<Table>, &has_these<Table, Needed...>, nullptr};
}

using C = CallTable;
using P = PageFaultTable;
constexpr TableInfo kTables[] = {
    table<&Report::kernels>(col::kernels, "kernels", "kernel table"),
    table<&Report::graphs>(col::graphs, "graphs", "graph launch table"),
    table<&Report::copies>(col::copies, "copies", "copy table"),
    table<&Report::sets>(col::sets, "sets", "memory set table"),
    table<&Report::calls>(col::calls, "calls", "API call table"),
    table<&Report::ranges>(col::ranges, "ranges", "table of push/pop NVTX ranges"),
    table<&Report::spans>(col::spans, "spans", "table of start/end NVTX ranges"),
    table<&Report::syncs>(col::syncs, "syncs", "synchronization table"),
    table<&Report::iterations>(col::iterations, "iterations", "range that [iterations] names"),
    table<&Report::steps>(col::steps, "steps", "step table"),
    table<&Report::account>(col::account, "account", "account of the steps"),
    table<&Report::devices>(col::devices, "devices", "device table"),
    table<&Report::overheads>(col::overheads, "overheads", "table of the profiler's own overhead"),
    table<&Report::causes>(col::causes, "causes", "table of stated causes"),
    table<&Report::ops>(col::ops, "ops", "operator table"),
    table<&Report::allocations>(col::allocations, "allocations", "allocation table"),
    table_needing<&Report::properties, &PropertyTable::name, &PropertyTable::value>(col::properties, "properties",
                                                                                    "property table"),
    table<&Report::profiled>(col::profiled, "profiled", "table of profiled kernels"),
    table<&Report::counters>(col::counters, "counters", "counter table"),
    table_needing<&Report::repeats, &C::start, &C::end, &C::thread, &C::in_window>(
        col::repeats, "repeats", "table of calls listed a second time"),
    table<&Report::os_calls>(col::os_calls, "os_calls", "table of operating system calls"),
    table<&Report::mpi_events>(col::mpi_events, "mpi_events", "table of MPI events"),
    table<&Report::openacc_events>(col::openacc_events, "openacc_events", "table of OpenACC events"),
    table<&Report::openmp_events>(col::openmp_events, "openmp_events", "table of OpenMP events"),
    table<&Report::cpu_faults>(col::cpu_faults, "cpu_faults", "table of page faults of the CPU"),
    table_needing<&Report::gpu_faults, &P::start, &P::address, &P::count>(col::gpu_faults, "gpu_faults",
                                                                          "table of page faults of GPUs"),
    table<&Report::collectives>(col::collectives, "collectives", "table of collectives"),
    table_needing<&Report::threads, &ThreadTable::name, &ThreadTable::priority>(col::thread_names, "thread_names",
                                                                                "table of threads"),
    {col::declared, "declared", "table of a format's own", &has_declared, &has_all_declared, nullptr},
};

/// All ids by number, with names that live as long as the program.
struct Ids {
  std::deque<std::string> names;
  std::vector<ColumnInfo> infos;

  Ids() {
    for (const TableInfo& table : kTables) {
      infos.push_back({table.id, table.name, table.table, table.has_table, table.has_column});
      if (table.columns == nullptr) continue;
      for (const ListedColumn& listed : table.columns()) add(table, listed);
    }
    std::ranges::sort(infos, [](const ColumnInfo& a, const ColumnInfo& b) { return a.id < b.id; });
  }

 private:
  /// "kernels.registers", as in the guide and SQL; an id of several columns is named after the first, "kernels.grid_x".
  void add(const TableInfo& table, const ListedColumn& listed) {
    if (number_in_table(listed.id) == 0) return;
    const ColumnId id = of_table(table.id, listed.id);
    if (std::ranges::any_of(infos, [&](const ColumnInfo& info) { return info.id == id; })) return;
    const std::string_view name = names.emplace_back(std::string(table.name) + "." + std::string(listed.name));
    infos.push_back({id, name, table.table, table.has_table, table.has_column});
  }
};

const Ids& ids() {
  static const Ids all;
  return all;
}

}  // namespace

std::optional<ColumnId> id_of_column(std::string_view table, std::string_view column) {
  const auto* const info = std::ranges::find(kTables, table, &TableInfo::name);
  if (info == std::end(kTables)) return std::nullopt;
  if (info->columns == nullptr) return info->id;
  const std::vector<ListedColumn> columns = info->columns();
  const auto listed = std::ranges::find(columns, column, &ListedColumn::name);
  return listed == columns.end() ? info->id : of_table(info->id, listed->id);
}

std::span<const ColumnInfo> column_infos() { return ids().infos; }

const ColumnInfo* find_column(ColumnId id) {
  const std::vector<ColumnInfo>& infos = ids().infos;
  const auto at = std::ranges::lower_bound(infos, id, {}, &ColumnInfo::id);
  return at != infos.end() && at->id == id ? &*at : nullptr;
}

std::string missing_need(const Report& report, ColumnId need) {
  const ColumnInfo* info = find_column(need);
  if (info == nullptr) return "needs a column unknown to this host";
  const std::string needs = "needs " + std::string(info->name) + ": ";
  if (!info->has_table(report)) return needs + "this profile has no " + std::string(info->table);
  if (info->has_column(report)) return {};
  const std::size_t dot = info->name.find('.');
  const std::string what = dot == std::string_view::npos
                               ? "lacks one of its core columns"
                               : "has no column '" + std::string(info->name.substr(dot + 1)) + "'";
  return fmt::format("{}the {} of this profile {}", needs, std::string(info->table), what);
}

}  // namespace assay
