// Tables next to the reports: CSVs of a sweep, results.json of a runner (configs/README.md). A question
// names them with [[sheet]]; an analyzer requests them by that id.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "assay/study.hpp"

namespace assay {

/// One table, by row of Study::sheets. Cheap to copy; borrows the study. Rows and columns count from 0 and are
/// unchecked.
class Sheet {
 public:
  Sheet(const Study& study, std::size_t sheet) : study_(&study), sheet_(sheet) {}

  [[nodiscard]] std::string_view id() const { return study_->sheets->id[sheet_]; }
  /// Path of the file, as in the outputs.
  [[nodiscard]] std::string_view path() const { return study_->sheets->path[sheet_]; }
  [[nodiscard]] std::size_t rows() const { return study_->sheets->lines[sheet_]; }
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] std::string_view column_name(std::size_t column) const;
  /// The column of that name, or empty.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
  /// The cell as written, without surrounding spaces; empty if the file has none.
  [[nodiscard]] std::string_view text(std::size_t row, std::size_t column) const;
  /// Numbers of a cell: one, several for a JSON list; empty if the cell is empty or not a number.
  [[nodiscard]] std::span<const double> numbers(std::size_t row, std::size_t column) const;
  /// The cell as a number; empty if it is empty, not a number, or a list.
  [[nodiscard]] std::optional<double> number(std::size_t row, std::size_t column) const;
  /// Value of a declared label from the file name (or the label's default); empty if it has none.
  [[nodiscard]] std::string_view label_text(std::string_view name) const;

 private:
  [[nodiscard]] std::size_t cell(std::size_t row, std::size_t column) const;

  const Study* study_;
  std::size_t sheet_;
};

/// Sheets of a [[sheet]] id, sorted by path; empty if the question declares no such id or no file was found.
std::vector<Sheet> sheets_of(const Study& study, std::string_view id);

}  // namespace assay
