// Rows on their way from `analyze` to `conclude`. A row is a struct of texts and numbers with, in its namespace,
//   void each_member(const Row*, auto&& use) { use("name", &Row::name), use("rank", &Row::rank); }
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "assay/sdk.hpp"

namespace assay::crossing {

template <class Row>
Table table_of(const char* id, const std::vector<Row>& rows) {
  Table table(id, id);
  each_member(static_cast<const Row*>(nullptr),
              [&](const char* name, auto member) { table.column(name, "", rows, member); });
  return table;
}

template <class Row>
std::vector<Row> rows_of(const RowsView& view) {
  std::vector<Row> rows;
  each_member(static_cast<const Row*>(nullptr), [&](const char* name, auto member) {
    using Cell = std::remove_reference_t<decltype(std::declval<Row&>().*member)>;
    const auto cells = [&] {
      if constexpr (std::is_same_v<Cell, std::string>)
        return view.texts(name);
      else if constexpr (std::is_same_v<Cell, double>)
        return view.numbers(name);
      else
        return view.integers(name);
    }();
    rows.resize(cells.size());
    for (std::size_t r = 0; r < cells.size(); ++r) rows[r].*member = static_cast<Cell>(cells[r]);
  });
  return rows;
}

}  // namespace assay::crossing
