#include "assay/report.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include "assay/detail/columns.hpp"

namespace assay {
namespace {

template <class T>
Column<T> cells(const DeclaredTable& table, std::string_view name, CellKind kind) {
  static constexpr T kEmpty{};
  for (const DeclaredColumn& column : table.columns) {
    if (column.name != name || column.kind != kind || column.cells == nullptr) continue;
    return {table.rows == 0 ? &kEmpty : static_cast<const T*>(column.cells), table.rows};
  }
  return {};
}

}  // namespace

Column<std::int64_t> DeclaredTable::integers(std::string_view column) const {
  return cells<std::int64_t>(*this, column, CellKind::kInteger);
}
Column<double> DeclaredTable::reals(std::string_view column) const {
  return cells<double>(*this, column, CellKind::kReal);
}
Column<StringId> DeclaredTable::texts(std::string_view column) const {
  return cells<StringId>(*this, column, CellKind::kText);
}

const DeclaredTable* Report::table(std::string_view name) const {
  for (const DeclaredTable* table : declared) {
    if (table->name == name) return table;
  }
  return nullptr;
}

}  // namespace assay

namespace assay::detail {
namespace {

std::string absent_text(const std::string& column) {
  return "a value was asked of " + column + ", which this profile lacks or kNeeds and kWants do not name";
}

/// "kernels.grid_x", or empty.
std::string name_of(const Report& report, const void* column) {
  std::string name;
  const auto look_in = [&](const auto* table, std::string_view table_name) {
    if (table == nullptr) return;
    each_column(*table, [&](const ListedColumn& listed, const auto& own) {
      if (&own == column) name = std::string(table_name) + "." + std::string(listed.name);
    });
  };
  look_in(report.kernels, "kernels");
  look_in(report.graphs, "graphs");
  look_in(report.copies, "copies");
  look_in(report.sets, "sets");
  look_in(report.calls, "calls");
  look_in(report.ranges, "ranges");
  look_in(report.spans, "spans");
  look_in(report.syncs, "syncs");
  look_in(report.iterations, "iterations");
  look_in(report.steps, "steps");
  look_in(report.account, "account");
  look_in(report.devices, "devices");
  look_in(report.overheads, "overheads");
  look_in(report.causes, "causes");
  look_in(report.ops, "ops");
  look_in(report.allocations, "allocations");
  look_in(report.profiled, "profiled");
  look_in(report.counters, "counters");
  look_in(report.repeats, "repeats");
  look_in(report.os_calls, "os_calls");
  look_in(report.mpi_events, "mpi_events");
  look_in(report.mpi, "mpi");
  look_in(report.openacc_events, "openacc_events");
  look_in(report.openmp_events, "openmp_events");
  look_in(report.cpu_faults, "cpu_faults");
  look_in(report.gpu_faults, "gpu_faults");
  look_in(report.collectives, "collectives");
  if (report.threads != nullptr && column == &report.threads->name) name = "threads.name";
  if (report.threads != nullptr && column == &report.threads->priority) name = "threads.priority";
  return name;
}

}  // namespace

AbsentColumn::AbsentColumn(const void* where) : std::out_of_range(absent_text("a column")), column(where) {}

void refuse_cell(const void* column) { throw AbsentColumn(column); }

std::string absent_column_text(const Report& report, const AbsentColumn& absent) {
  const std::string name = name_of(report, absent.column);
  return name.empty() ? absent.what() : absent_text("the column '" + name + "'");
}

}  // namespace assay::detail
