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

void TextTable::print(std::ostream& to, std::size_t indent, std::size_t width) const {
  std::vector<std::size_t> widths(columns_.size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  constexpr std::size_t least = 24;  // narrower, a column of words is harder to read than a long line
  std::size_t start = indent;        // of the last column
  for (std::size_t c = 0; c + 1 < widths.size(); ++c) start += widths[c] + 2;
  const bool wraps = !columns_.empty() && !columns_.back().right && width >= start + least;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c + 1 < widths.size(); ++c) {
      if (columns_[c].right) line.append(widths[c] - display_width(row[c]), ' ');
      line += (columns_[c].right ? row[c] : padded(row[c], widths[c])) + "  ";
    }
    std::vector<std::string> last = {columns_.empty() ? std::string() : row.back()};
    if (wraps) last = wrapped(row.back(), width - start);
    if (last.empty()) last.emplace_back();
    if (!columns_.empty() && columns_.back().right) line.append(widths.back() - display_width(last.front()), ' ');
    for (std::size_t i = 0; i < last.size(); ++i) {
      std::string whole = (i == 0 ? line : std::string(start, ' ')) + last[i];
      whole.erase(whole.find_last_not_of(' ') + 1);
      to << whole << "\n";
    }
  }
}

}  // namespace assay
