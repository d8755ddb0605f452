#include "analyze/masked_report.hpp"

#include "assay/detail/columns.hpp"

namespace assay {
namespace {

std::set<ColumnId> declared_by(const Descriptor& declared) {
  std::set<ColumnId> all(declared.needs.begin(), declared.needs.end());
  all.insert(declared.wants.begin(), declared.wants.end());
  return all;
}

/// Whether the table itself or a column of it is declared.
bool is_declared(ColumnId table, const std::set<ColumnId>& declared) {
  const auto first = declared.lower_bound(of_table(table, {}));
  return first != declared.end() && of_table(*first, {}) == of_table(table, {});
}

template <class Table>
void mask(const Table*& shown, ColumnId table, const std::set<ColumnId>& declared) {
  if (!is_declared(table, declared)) shown = nullptr;
}

/// Also hides the columns that have ids of their own.
template <class Table>
void mask(const Table*& shown, Table& own, ColumnId table, const std::set<ColumnId>& declared) {
  mask(shown, table, declared);
  if (shown == nullptr) return;
  own = *shown;
  each_column(own, [&](const ListedColumn& listed, auto& column) {
    const ColumnId id = of_table(table, listed.id);
    if (id != of_table(table, {}) && !declared.contains(id)) column = {};
  });
  shown = &own;
}

}  // namespace

MaskedReport::MaskedReport(const Report& report, const Descriptor& declared)
    : MaskedReport(report, declared_by(declared)) {}

MaskedReport::MaskedReport(const Report& report, const std::set<ColumnId>& declared)
    : report_(report), threads_(report.threads == nullptr ? ThreadTable{} : *report.threads) {
  mask(report_.kernels, kernels_, col::kernels, declared);
  mask(report_.graphs, graphs_, col::graphs, declared);
  mask(report_.copies, copies_, col::copies, declared);
  mask(report_.sets, sets_, col::sets, declared);
  mask(report_.calls, calls_, col::calls, declared);
  mask(report_.ranges, ranges_, col::ranges, declared);
  mask(report_.spans, spans_, col::spans, declared);
  mask(report_.syncs, syncs_, col::syncs, declared);
  mask(report_.overheads, overheads_, col::overheads, declared);
  mask(report_.causes, causes_, col::causes, declared);
  mask(report_.ops, ops_, col::ops, declared);
  mask(report_.iterations, col::iterations, declared);
  mask(report_.steps, col::steps, declared);
  mask(report_.account, col::account, declared);
  mask(report_.allocations, col::allocations, declared);
  mask(report_.properties, col::properties, declared);
  mask(report_.profiled, col::profiled, declared);
  mask(report_.counters, col::counters, declared);
  mask(report_.repeats, col::repeats, declared);
  mask(report_.os_calls, col::os_calls, declared);
  mask(report_.mpi_events, col::mpi_events, declared);
  mask(report_.mpi, col::mpi_events, declared);
  mask(report_.openacc_events, col::openacc_events, declared);
  mask(report_.openmp_events, col::openmp_events, declared);
  mask(report_.collectives, col::collectives, declared);
  mask(report_.cpu_faults, col::cpu_faults, declared);
  mask(report_.gpu_faults, col::gpu_faults, declared);
  if (!declared.contains(col::declared)) report_.declared = {};
  if (!declared.contains(col::thread_names)) {
    threads_.name = {};
    threads_.priority = {};
  }
  if (report.threads != nullptr) report_.threads = &threads_;
}

}  // namespace assay
