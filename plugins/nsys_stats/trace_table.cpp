#include "trace_table.hpp"

namespace assay::nsys {

TraceTable::TraceTable(ReportSink& sink, const Task& task, std::initializer_list<Heading> headings)
    : sink_(sink), id_(nsys_table_id(task.asked.text)), title_(task.asked.report->title) {
  for (const Heading& heading : headings) columns_.push_back({heading, {}, {}, {}});
}

TraceTable& TraceTable::nothing() {
  switch (columns_[column_].heading.type) {
    case CellType::kText:
      return view({});
    case CellType::kInteger:
      return integer(kNoInteger);
    case CellType::kNumber:
      break;
  }
  return number(kNothing);
}

void TraceTable::deliver() {
  std::vector<ColumnView> views;
  for (const Cells& c : columns_) {
    views.push_back({c.heading.name, c.heading.unit, c.heading.type, c.texts, c.integers, c.numbers});
  }
  TableView view;
  view.id = id_;
  view.title = title_;
  view.columns = views;
  check_emit(begun_ ? sink_.emit_rows(&view) : sink_.emit_table(&view), "table", id_);
  begun_ = true;
  rows_ = 0;
  owned_.clear();
  for (Cells& c : columns_) {
    c.texts.clear();
    c.integers.clear();
    c.numbers.clear();
  }
}

}  // namespace assay::nsys
