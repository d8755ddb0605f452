#include "load/row_references.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "assay/format.hpp"
#include "load/stored_columns.hpp"

namespace assay::load {
namespace {

struct ReferredTable {
  const void* table = nullptr;  ///< member of the store; null: there is no such table
  std::size_t rows = 0;
};

ReferredTable table_named(Profile::Store& store, std::string_view name) {
  ReferredTable found;
  each_fillable(store, [&](auto, ColumnId, std::string_view known, const auto& rows) {
    if (known == name && rows) found = {&rows, rows->rows()};
  });
  return found;
}

/// Calls `use(table, cells)` for every column of the report model that refers to rows, present or not.
template <class Use>
void each_listed_reference(Profile::Store& store, Use&& use) {
  const auto work = [&](auto& rows) {
    if (rows) use(&store.calls, rows->call.values());
  };
  work(store.kernels);
  work(store.graphs);
  work(store.copies);
  work(store.sets);
  work(store.syncs);
  if (store.syncs) use(&store.calls, store.syncs->record.values());
  if (store.kernels) {
    use(&store.ops, store.kernels->op.values());
    use(&store.profiled, store.kernels->profiled.values());
  }
  if (store.calls) {
    use(&store.ranges, store.calls->range.values());
    use(&store.calls, store.calls->twin.values());
    use(&store.ops, store.calls->op.values());
  }
  if (store.ranges) use(&store.ranges, store.ranges->parent.values());
  if (store.ops) use(&store.ops, store.ops->parent.values());
  if (store.counters) use(&store.profiled, store.counters->profiled.values());
  if (store.collectives) use(&store.kernels, store.collectives->kernel.values());
}

/// Calls `use(name of the table, cells)` for every column of declared tables that refers to rows.
template <class Use>
void each_declared_reference(Profile::Store& store, Use&& use) {
  for (DeclaredTableRows& table : store.declared) {
    for (DeclaredCells& column : table.columns) {
      if (column.spec->kind == CellKind::kInteger && column.spec->role == CellRole::kRow)
        use(column.spec->of.view(), table, column);
    }
  }
}

}  // namespace

void renumber_references(Profile::Store& store, const void* table, std::size_t rows,
                         std::span<const std::uint32_t> kept) {
  std::vector<Row> place;  // filled by the first column that refers to the table
  const auto renumber = [&](auto& cells) {
    if (place.empty()) {
      place.assign(rows, kNone);
      for (std::size_t i = 0; i < kept.size(); ++i) place[kept[i]] = static_cast<Row>(i);
    }
    for (auto& cell : cells) {
      if (cell >= 0) cell = static_cast<std::size_t>(cell) < rows ? place[static_cast<std::size_t>(cell)] : Row{kNone};
    }
  };
  each_listed_reference(store, [&](const void* of, Cells<Row>& cells) {
    if (of == table && !cells.empty()) renumber(cells);
  });
  each_declared_reference(store, [&](std::string_view of, const DeclaredTableRows&, DeclaredCells& column) {
    if (!column.integers.values().empty() && table_named(store, of).table == table) renumber(column.integers.values());
  });
  if (table == static_cast<const void*>(&store.calls)) {
    renumber(store.lost_launches);
    std::erase(store.lost_launches, Row{kNone});
    std::ranges::sort(store.lost_launches);
  }
}

void bound_references(Profile::Store& store) {
  each_declared_reference(store, [&](std::string_view of, const DeclaredTableRows& table, DeclaredCells& column) {
    const ReferredTable to = table_named(store, of);
    if (to.table == nullptr) return;  // not read
    std::int64_t wrong = 0;
    for (std::int64_t& cell : column.integers.values()) {
      if (cell == kNone || (cell >= 0 && static_cast<std::uint64_t>(cell) < to.rows)) continue;
      cell = kNone;
      ++wrong;
    }
    if (wrong == 0) return;
    store.issues.push_back({"wrong_rows", Severity::kError, wrong,
                            fmt::format("{} cells of {}.{} name a row that {} does not have; they count as none.",
                                        wrong, table.spec->name.view(), column.spec->name.view(), of)});
  });
}

}  // namespace assay::load
