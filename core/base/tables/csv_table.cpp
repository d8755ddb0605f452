#include <csv.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "files/byte_order_mark.hpp"
#include "tables/table.hpp"

namespace assay {
namespace {

struct CsvLines {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
};

void add_cell(void* text, std::size_t size, void* lines) {
  static_cast<CsvLines*>(lines)->row.emplace_back(static_cast<const char*>(text), size);
}

void add_row(int, void* data) {
  auto* lines = static_cast<CsvLines*>(data);
  const bool blank = std::all_of(lines->row.begin(), lines->row.end(), [](const auto& cell) { return cell.empty(); });
  if (!blank) lines->rows.push_back(std::move(lines->row));
  lines->row.clear();
}

Result<CsvLines> parse(std::string_view bytes) {
  csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) return Error{"cannot be parsed: out of memory"};
  const std::unique_ptr<csv_parser, void (*)(csv_parser*)> freed(&parser, csv_free);
  CsvLines lines;
  const bool parsed = csv_parse(&parser, bytes.data(), bytes.size(), add_cell, add_row, &lines) == bytes.size() &&
                      csv_fini(&parser, add_cell, add_row, &lines) == 0;
  if (!parsed) {
    return Error{"is not a CSV: the quotes in row " + std::to_string(lines.rows.size() + 1) + " do not match"}.advise(
        "expected comma-separated values as of RFC 4180");
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

SheetCell sheet_cell(std::string_view text) {
  text = trimmed(text);
  SheetCell cell{std::string(text), {}};
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size() && std::isfinite(number)) {
    cell.numbers.push_back(number);
  }
  return cell;
}

Result<SheetTexts> csv_table(std::string_view bytes) {
  const Result<CsvLines> lines = parse(without_byte_order_mark(bytes));
  if (!lines) return lines.error();
  if (lines->rows.empty())
    return Error{"is empty"}.advise("expected a line with the column names, then one line per row");
  SheetTexts table;
  for (const std::string& cell : lines->rows.front()) {
    std::string name(trimmed(cell));
    const auto same = [&](const auto& column) { return column.name == name; };
    if (name.empty() || std::any_of(table.columns.begin(), table.columns.end(), same)) {
      return Error{fmt::format("names the column '{}' {}", name, name.empty() ? "with nothing" : "twice")}
          .at(name)
          .advise("expected a first line with one name per column");
    }
    table.columns.push_back({std::move(name), {}});
  }
  for (std::size_t r = 1; r < lines->rows.size(); ++r) {
    const std::vector<std::string>& row = lines->rows[r];
    if (row.size() > table.columns.size()) {
      table.problems.push_back(
          fmt::format("row {} has {} cells for {} columns and was left out", r, row.size(), table.columns.size()));
      continue;
    }
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      table.columns[c].cells.push_back(sheet_cell(c < row.size() ? std::string_view(row[c]) : std::string_view()));
    }
    ++table.rows;
  }
  return table;
}

}  // namespace assay
