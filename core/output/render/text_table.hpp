// Aligned columns on a terminal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "render/rows.hpp"

namespace assay {

/// Collects rows, then prints them with every column as wide as its widest cell and two blanks between.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool right = false;
  };
  explicit TextTable(std::vector<Column> columns);
  /// As many cells as columns. Control characters are replaced.
  void row(const std::vector<std::string>& cells);
  /// With `width`, columns are narrowed and their cells wrapped so that lines have at most so many columns; 0: every
  /// row is one line.
  void print(std::ostream& to, std::size_t indent, std::size_t width = 0) const;
  /// Without indent; other formats as row_writer has them, where numbers of right-aligned columns are numbers, and "-"
  /// or nothing in such a column is no value.
  void write(std::ostream& to, RowFormat format, std::size_t width = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace assay
