// Tables beside the reports: what a sweep wrote as CSV, what a runner wrote as results.json (architecture.md, study
// inputs). A question names them with [[sheet]]; an analyzer asks for them by that id.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "assay/study.hpp"

namespace assay {

/// One table, by row of Study::sheets. Cheap to copy; borrows the study. Rows and columns count from 0.
class Sheet {
 public:
  Sheet(const Study& study, std::size_t sheet) : study_(&study), sheet_(sheet) {}

  [[nodiscard]] std::string_view id() const { return study_->sheets->id[sheet_]; }
  [[nodiscard]] std::string_view path() const { return study_->sheets->path[sheet_]; }
  [[nodiscard]] std::size_t rows() const { return study_->sheets->lines[sheet_]; }
  [[nodiscard]] std::size_t columns() const {
    return study_->sheets->column_end[sheet_] - study_->sheets->column_begin[sheet_];
  }
  [[nodiscard]] std::string_view column_name(std::size_t column) const {
    return study_->sheet_columns->name[study_->sheets->column_begin[sheet_] + column];
  }
  /// The column of that name, or nothing.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const {
    for (std::size_t c = 0; c < columns(); ++c) {
      if (column_name(c) == name) return c;
    }
    return std::nullopt;
  }
  /// The cell as written, without spaces around it; empty where the file has none.
  [[nodiscard]] std::string_view text(std::size_t row, std::size_t column) const {
    return study_->sheet_cells->text[cell(row, column)];
  }
  /// The numbers of a cell: one, several of a JSON list, or none where it is empty or no number.
  [[nodiscard]] std::span<const double> numbers(std::size_t row, std::size_t column) const {
    const SheetCellTable& cells = *study_->sheet_cells;
    const std::size_t at = cell(row, column);
    return cells.numbers.view().subspan(cells.number_begin[at], cells.number_end[at] - cells.number_begin[at]);
  }
  /// The cell as one number; nothing when it is empty, no number, or a list.
  [[nodiscard]] std::optional<double> number(std::size_t row, std::size_t column) const {
    const std::span<const double> all = numbers(row, column);
    return all.size() == 1 ? std::optional<double>(all.front()) : std::nullopt;
  }
  /// Value of a declared label that the name of the file gives (or the label's default); empty when it has none.
  [[nodiscard]] std::string_view label_text(std::string_view name) const {
    const SheetLabelTable& labels = *study_->sheet_labels;
    for (std::size_t i = study_->sheets->label_begin[sheet_]; i < study_->sheets->label_end[sheet_]; ++i) {
      if (study_->labels->name[labels.label[i]] == name) return labels.text[i];
    }
    return {};
  }

 private:
  [[nodiscard]] std::size_t cell(std::size_t row, std::size_t column) const {
    return study_->sheet_columns->cell_begin[study_->sheets->column_begin[sheet_] + column] + row;
  }

  const Study* study_;
  std::size_t sheet_;
};

/// The sheets of a [[sheet]] id, sorted by path; none when the question declares no such id or no file was found.
inline std::vector<Sheet> sheets_of(const Study& study, std::string_view id) {
  std::vector<Sheet> out;
  for (std::size_t s = 0; s < study.sheets->rows; ++s) {
    if (study.sheets->id[s] == id) out.emplace_back(study, s);
  }
  return out;
}

}  // namespace assay
