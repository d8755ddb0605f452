// Tables that are filled row by row.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "assay/output.hpp"

namespace assay {

struct ColumnHead {
  std::string_view name, unit = {};
};

/// Rows of a table whose columns have the types `Cells` (std::string, std::int64_t or double).
template <class... Cells>
class TableRows {
 public:
  /// Appends a row; each value initializes the cell of its column.
  template <class... Values>
    requires(sizeof...(Values) == sizeof...(Cells))
  void add(Values&&... values) {
    std::apply([&](auto&... columns) { (columns.emplace_back(std::forward<Values>(values)), ...); }, columns_);
  }
  [[nodiscard]] bool empty() const { return std::get<0>(columns_).empty(); }

  /// The table with all rows, in order of addition. Moves them out: call once.
  Table table(std::string id, std::string title, const ColumnHead (&heads)[sizeof...(Cells)]) {
    Table out(std::move(id), std::move(title));
    const ColumnHead* head = heads;
    const auto add_column = [&](auto& cells) {
      out.add(std::string(head->name), std::string(head->unit), std::move(cells));
      ++head;
    };
    std::apply([&](auto&... columns) { (add_column(columns), ...); }, columns_);
    return out;
  }

 private:
  std::tuple<std::vector<Cells>...> columns_;
};

}  // namespace assay
