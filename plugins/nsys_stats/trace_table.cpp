#include "trace_table.hpp"

namespace assay::nsys {

TraceTable::Heading::Heading(const char* text, CellType of) : name(text), type(of) {
  const std::size_t bracket = name.find(" (");
  if (bracket == std::string::npos) return;
  unit = name.substr(bracket + 2, name.size() - bracket - 3);
  name.resize(bracket);
}

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
