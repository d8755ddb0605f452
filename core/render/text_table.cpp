#include "render/text_table.hpp"

#include <algorithm>

#include "render/text.hpp"

namespace assay {

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  rows_.push_back(std::move(titles));
}

void TextTable::row(const std::vector<std::string>& cells) {
  std::vector<std::string> clean;
  for (const std::string& cell : cells) clean.push_back(one_line(cell));
  rows_.push_back(std::move(clean));
}

void TextTable::print(std::ostream& to, std::size_t indent) const {
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < widths.size(); ++c) {
      if (c > 0) line += "  ";
      if (columns_[c].right) line.append(widths[c] - display_width(row[c]), ' ');
      line += columns_[c].right ? row[c] : padded(row[c], widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    to << line << "\n";
  }
}

}  // namespace assay
