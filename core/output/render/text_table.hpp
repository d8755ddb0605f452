// Aligned columns on a terminal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace assay {

/// How rows are written: for people, spreadsheets and programs.
enum class RowFormat { kTable, kCsv, kJson };

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
  /// Without indent. CSV as RFC 4180 says, titles first; JSON as an array of objects by title, in which whole numbers
  /// of right-aligned columns are numbers.
  void write(std::ostream& to, RowFormat format, std::size_t width = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace assay
