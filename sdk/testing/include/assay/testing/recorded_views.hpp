// Recorded tables as views: the form in which a plugin receives rows of another stage.
#pragma once

#include <deque>
#include <vector>

#include "assay/testing/recorder.hpp"

namespace assay::testing {

/// Views of tables in order of addition. Borrows the added tables.
class RecordedViews {
 public:
  void add(const RecordedTable& table) {
    std::vector<ColumnView>& columns = columns_.emplace_back();
    for (const RecordedColumn& c : table.columns) {
      const std::vector<Str>& texts = texts_.emplace_back(c.texts.begin(), c.texts.end());
      columns.push_back({c.name, c.unit, c.type, texts, c.integers, c.numbers});
    }
    TableView& view = views_.emplace_back();
    view.id = table.id, view.title = table.title, view.columns = columns;
    ids_.emplace_back(table.id);
    pointers_.push_back(&view);
  }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  /// Ids and views by addition; views stay at their address.
  [[nodiscard]] const std::vector<Str>& ids() const { return ids_; }
  [[nodiscard]] const std::vector<const TableView*>& tables() const { return pointers_; }

 private:
  std::deque<std::vector<Str>> texts_;  // deques: what was added stays where it is
  std::deque<std::vector<ColumnView>> columns_;
  std::deque<TableView> views_;
  std::vector<Str> ids_;
  std::vector<const TableView*> pointers_;
};

}  // namespace assay::testing
