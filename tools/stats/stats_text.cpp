#include "stats/stats_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <string>

#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

constexpr std::size_t kMinNameWidth = 24;

std::string title_of(const OwnedTable::Column& column) { return stats_title(column.name, column.unit); }

void append_integer(std::string& to, std::int64_t value) {
  char digits[24];
  if (value != kNoInteger) to.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_number(std::string& to, double value, int decimals) {
  char digits[kMaxStatsDigits];
  if (std::isnan(value)) return;
  to.append(digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals).ptr);
}

/// Appends a numeric cell; nothing if there is no value.
void append_number(std::string& to, const OwnedTable::Column& column, std::size_t row) {
  if (column.type == CellType::kInteger)
    append_integer(to, column.integers[row]);
  else
    append_number(to, column.numbers[row], stats_decimals(column.unit));
}

/// Passes the rows of the table to `writer` without copying more than a part of them.
void write_csv(std::ostream& out, const OwnedTable& table, bool alone_in_a_file) {
  constexpr std::size_t kPart = 4096;
  CsvWriter writer(out, alone_in_a_file);
  for (std::size_t first = 0; first < table.rows(); first += kPart) {
    const std::size_t count = std::min(kPart, table.rows() - first);
    std::vector<std::vector<Str>> texts(table.columns.size());
    std::vector<ColumnView> columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const OwnedTable::Column& from = table.columns[c];
      ColumnView& to = columns.emplace_back();
      to.name = from.name;
      to.unit = from.unit;
      to.type = from.type;
      const auto part = [&]<class T>(const std::vector<T>& cells) { return Span<T>(cells.data() + first, count); };
      if (from.type == CellType::kText) {
        texts[c].assign(from.texts.begin() + static_cast<std::ptrdiff_t>(first),
                        from.texts.begin() + static_cast<std::ptrdiff_t>(first + count));
        to.texts = texts[c];
      } else if (from.type == CellType::kInteger) {
        to.integers = part(from.integers);
      } else {
        to.numbers = part(from.numbers);
      }
    }
    TableView view;
    view.columns = columns;
    writer.rows(view);
  }
  writer.finish();
}

void write_json(std::ostream& out, const OwnedTable& table) {
  std::vector<std::string> titles;
  for (const OwnedTable::Column& column : table.columns) titles.push_back(title_of(column));
  const std::unique_ptr<RowWriter> rows = row_writer(RowFormat::kJson, titles, out);
  std::vector<std::string> digits(table.columns.size());
  std::vector<RowCell> cells(table.columns.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const OwnedTable::Column& column = table.columns[c];
      digits[c].clear();
      if (column.type == CellType::kText)
        cells[c] = {column.texts[row]};
      else {
        append_number(digits[c], column, row);
        cells[c] = {digits[c], !digits[c].empty(), digits[c].empty()};
      }
    }
    rows->row(cells);
  }
  rows->end();
}

std::string cell_of(const OwnedTable::Column& column, std::size_t row) {
  if (column.type == CellType::kText) return column.texts[row];
  std::string out;
  append_number(out, column, row);
  return out;
}

/// Width left for the widest text column if all others keep theirs.
std::size_t room_for_names(const OwnedTable& table, std::size_t width, std::size_t& names) {
  std::size_t used = 0, widest = 0;
  names = table.columns.size();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t column = display_width(title_of(table.columns[c]));
    for (std::size_t row = 0; row < table.rows(); ++row) {
      column = std::max(column, display_width(cell_of(table.columns[c], row)));
    }
    used += column + 2;
    if (table.columns[c].type != CellType::kText || column < widest) continue;
    widest = column;
    names = c;
  }
  const std::size_t others = used - widest;
  return std::max(kMinNameWidth, width > others ? width - others : 0);
}

void write_aligned(std::ostream& out, const OwnedTable& table, std::size_t width) {
  std::vector<TextTable::Column> columns;
  for (const OwnedTable::Column& column : table.columns) {
    columns.push_back({title_of(column), column.type != CellType::kText});
  }
  std::size_t names = table.columns.size();
  const std::size_t room = width == 0 ? 0 : room_for_names(table, width, names);
  TextTable text(std::move(columns));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<std::string> cells;
    for (const OwnedTable::Column& column : table.columns) cells.push_back(cell_of(column, row));
    if (names < cells.size()) cells[names] = shortened(cells[names], room);
    text.row(cells);
  }
  text.print(out, 0);
  out << "\n";
}

}  // namespace

std::string stats_title(std::string_view name, std::string_view unit) {
  std::string title(name);
  if (!unit.empty()) title.append(" (").append(unit).append(")");
  return title;
}

int stats_decimals(std::string_view unit) { return unit.starts_with("MB") ? 3 : 1; }

const char* extension_of(RowFormat format) {
  return format == RowFormat::kCsv ? ".csv" : format == RowFormat::kJson ? ".json" : ".txt";
}

void write_stats(std::ostream& out, const OwnedTable& table, RowFormat format, std::size_t width,
                 bool alone_in_a_file) {
  if (format == RowFormat::kCsv) return write_csv(out, table, alone_in_a_file);
  return format == RowFormat::kJson ? write_json(out, table) : write_aligned(out, table, width);
}

}  // namespace assay
