#include "render/text_table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "files/utf8.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMinColumn = 8;  // a narrower column would cut words into unreadable pieces

/// Narrows the widest column until the row fits or all have the min width.
void narrow(std::vector<std::size_t>& widths, std::size_t indent, std::size_t width) {
  const auto row = [&] {
    std::size_t sum = indent;
    for (const std::size_t one : widths) sum += one + 2;
    return sum;
  };
  while (!widths.empty() && row() > width + 2) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kMinColumn) return;
    --*widest;
  }
}

/// Wrapped at blanks; cuts longer words.
std::vector<std::string> lines_of(const std::string& cell, std::size_t width) {
  if (display_width(cell) <= width) return {cell};
  std::vector<std::string> out;
  for (std::string line : wrapped(cell, width)) {
    while (display_width(line) > width) {
      std::size_t end = 0;
      for (std::size_t taken = 0; taken < width; ++taken) {
        ++end;
        while (end < line.size() && continues_utf8(line[end])) ++end;
      }
      out.push_back(line.substr(0, end));
      line.erase(0, end);
    }
    out.push_back(std::move(line));
  }
  return out;
}

/// Whether the text is a JSON number.
bool is_number(const std::string& cell) {
  const bool begins = !cell.empty() && (cell.front() == '-' || (cell.front() >= '0' && cell.front() <= '9'));
  return begins && nlohmann::json::accept(cell);
}

}  // namespace

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
  if (width > 0) narrow(widths, indent, width);
  for (const auto& row : rows_) {
    std::vector<std::vector<std::string>> cells;
    std::size_t lines = 1;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      cells.push_back(lines_of(row[c], widths[c]));
      lines = std::max(lines, cells.back().size());
    }
    for (std::size_t l = 0; l < lines; ++l) {
      std::string line(indent, ' ');
      for (std::size_t c = 0; c < widths.size(); ++c) {
        const std::string cell = l < cells[c].size() ? cells[c][l] : std::string();
        if (c > 0) line += "  ";
        if (columns_[c].right) line.append(widths[c] - display_width(cell), ' ');
        line += columns_[c].right ? cell : padded(cell, widths[c]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      to << line << "\n";
    }
  }
}

void TextTable::write(std::ostream& to, RowFormat format, std::size_t width) const {
  if (format == RowFormat::kTable) return print(to, 0, width);
  const std::unique_ptr<RowWriter> rows = row_writer(format, rows_.front(), to);
  for (std::size_t r = 1; r < rows_.size(); ++r) {
    std::vector<RowCell> cells;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string& cell = rows_[r][c];
      const bool absent = columns_[c].right && (cell.empty() || cell == "-");
      cells.push_back({absent ? std::string_view() : cell, columns_[c].right && is_number(cell), absent});
    }
    rows->row(cells);
  }
  rows->end();
}

}  // namespace assay
