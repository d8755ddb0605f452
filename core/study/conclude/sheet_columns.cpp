#include "conclude/sheet_columns.hpp"

#include "conclude/column_of.hpp"

namespace assay {

SheetColumns::SheetColumns(const std::vector<OwnedSheet>& sheets) {
  for (const OwnedSheet& sheet : sheets) add(sheet);
  sheets_ = {id_.size(),
             column_of(id_),
             column_of(path_),
             column_of(lines_),
             column_of(column_begin_),
             column_of(column_end_),
             column_of(label_begin_),
             column_of(label_end_)};
  columns_ = {name_.size(), column_of(name_), column_of(cell_begin_)};
  cells_ = {text_.size(), column_of(text_), column_of(number_begin_), column_of(number_end_), column_of(numbers_)};
  labels_ = {label_.size(), column_of(label_), column_of(label_text_), column_of(label_order_),
             column_of(label_origin_)};
}

void SheetColumns::show_in(Study& study) const {
  study.sheets = &sheets_;
  study.sheet_columns = &columns_;
  study.sheet_cells = &cells_;
  study.sheet_labels = &labels_;
}

void SheetColumns::add(const OwnedSheet& sheet) {
  id_.emplace_back(sheet.id);
  path_.emplace_back(sheet.path);
  lines_.push_back(sheet.table.rows);
  column_begin_.push_back(name_.size());
  for (const SheetTexts::NamedColumn& column : sheet.table.columns) {
    name_.emplace_back(column.name);
    cell_begin_.push_back(text_.size());
    for (const SheetCell& cell : column.cells) {
      text_.emplace_back(cell.text);
      number_begin_.push_back(numbers_.size());
      numbers_.insert(numbers_.end(), cell.numbers.begin(), cell.numbers.end());
      number_end_.push_back(numbers_.size());
    }
  }
  column_end_.push_back(name_.size());
  label_begin_.push_back(label_.size());
  for (const LabelOfReport& value : sheet.labels) {
    label_.push_back(static_cast<std::uint32_t>(value.label));
    label_text_.emplace_back(value.text);
    label_order_.push_back(value.order);
    label_origin_.push_back(value.origin);
  }
  label_end_.push_back(label_.size());
}

}  // namespace assay
