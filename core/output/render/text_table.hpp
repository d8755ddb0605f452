// Prints aligned columns to a terminal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "render/rows.hpp"

namespace assay {

/// Collects rows, then prints them with every column as wide as its widest cell, two blanks apart.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool right = false;
    bool spare = false;     ///< goes before others where the width is small
    std::string unit = {};  ///< of its numbers; empty: none, or each has its own
  };
  explicit TextTable(std::vector<Column> columns);
  /// As many cells as columns. Replaces control characters.
  void row(const std::vector<std::string>& cells);
  /// With `width`, narrows columns and wraps their cells to that line width; 0: one line per row.
  void print(std::ostream& to, std::size_t indent, std::size_t width = 0) const;
  /// Without indentation; other formats as of row_writer, with numbers for right-aligned columns, in which "-" or an
  /// empty cell is a missing value.
  void write(std::ostream& to, RowFormat format, std::size_t width = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace assay
