// Tables of the host, laid out for a plugin.
#pragma once

#include <deque>
#include <vector>

#include "analyze/facts.hpp"
#include "assay/detail/column_of.hpp"

namespace assay {

/// Borrows the tables. Not movable: the views point into it.
class LaidOutTables {
 public:
  LaidOutTables() = default;
  LaidOutTables(const LaidOutTables&) = delete;
  LaidOutTables& operator=(const LaidOutTables&) = delete;

  void add(const OwnedTable& table) {
    std::vector<ColumnView>& columns = columns_.emplace_back();
    for (const OwnedTable::Column& c : table.columns) {
      const std::vector<Str>& texts = texts_.emplace_back(c.texts.begin(), c.texts.end());
      columns.push_back({c.name, c.unit, c.type, texts, c.integers, c.numbers});
    }
    TableView& view = views_.emplace_back();
    view.id = table.id;
    view.title = table.title;
    view.columns = columns;
    ids_.emplace_back(table.id);
    pointers_.push_back(&view);
  }

  [[nodiscard]] std::size_t size() const { return pointers_.size(); }
  /// Valid until the next table is added.
  [[nodiscard]] Column<Str> ids() const { return detail::column_of(ids_); }
  [[nodiscard]] Column<const TableView*> tables() const { return detail::column_of(pointers_); }

 private:
  std::deque<std::vector<Str>> texts_;  // deques: what was added stays where it is
  std::deque<std::vector<ColumnView>> columns_;
  std::deque<TableView> views_;
  std::vector<Str> ids_;
  std::vector<const TableView*> pointers_;
};

}  // namespace assay
