#include "assay/sheets.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

std::size_t Sheet::columns() const { return study_->sheets->column_end[sheet_] - study_->sheets->column_begin[sheet_]; }

std::string_view Sheet::column_name(std::size_t column) const {
  return study_->sheet_columns->name[study_->sheets->column_begin[sheet_] + column];
}

std::optional<std::size_t> Sheet::column(std::string_view name) const {
  for (std::size_t c = 0; c < columns(); ++c) {
    if (column_name(c) == name) return c;
  }
  return std::nullopt;
}

std::string_view Sheet::text(std::size_t row, std::size_t column) const {
  return study_->sheet_cells->text[cell(row, column)];
}

std::span<const double> Sheet::numbers(std::size_t row, std::size_t column) const {
  const SheetCellTable& cells = *study_->sheet_cells;
  const std::size_t at = cell(row, column);
  return cells.numbers.view().subspan(cells.number_begin[at], cells.number_end[at] - cells.number_begin[at]);
}

std::optional<double> Sheet::number(std::size_t row, std::size_t column) const {
  const std::span<const double> all = numbers(row, column);
  return all.size() == 1 ? std::optional<double>(all.front()) : std::nullopt;
}

std::string_view Sheet::label_text(std::string_view name) const {
  const SheetLabelTable& labels = *study_->sheet_labels;
  for (std::size_t i = study_->sheets->label_begin[sheet_]; i < study_->sheets->label_end[sheet_]; ++i) {
    if (study_->labels->name[labels.label[i]] == name) return labels.text[i];
  }
  return {};
}

std::size_t Sheet::cell(std::size_t row, std::size_t column) const {
  return study_->sheet_columns->cell_begin[study_->sheets->column_begin[sheet_] + column] + row;
}

std::vector<Sheet> sheets_of(const Study& study, std::string_view id) {
  std::vector<Sheet> out;
  for (std::size_t s = 0; s < study.sheets->rows; ++s) {
    if (study.sheets->id[s] == id) out.emplace_back(study, s);
  }
  return out;
}

}  // namespace assay
