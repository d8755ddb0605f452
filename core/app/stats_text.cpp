#include "app/stats_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "render/text.hpp"
#include "render/text_table.hpp"

namespace assay {
namespace {

constexpr std::size_t kLeastNameWidth = 24;

std::string title_of(const OwnedTable::Column& column) {
  return column.unit.empty() ? column.name : column.name + " (" + column.unit + ")";
}

/// Appends a cell that is no text; nothing where there is no value.
void append_number(std::string& to, const OwnedTable::Column& column, std::size_t row) {
  char digits[400];  // the longest double has 309 digits before the point
  std::to_chars_result end{};
  if (column.type == CellType::kInteger) {
    if (column.integers[row] == kNoInteger) return;
    end = std::to_chars(digits, digits + sizeof digits, column.integers[row]);
  } else {
    if (std::isnan(column.numbers[row])) return;
    const int decimals = column.unit == "MB" ? 3 : 1;
    end = std::to_chars(digits, digits + sizeof digits, column.numbers[row], std::chars_format::fixed, decimals);
  }
  to.append(digits, end.ptr);
}

void append_csv(std::string& to, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    to.append(text);
    return;
  }
  to += '"';
  for (const char c : text) to.append(c == '"' ? 2 : 1, c);
  to += '"';
}

std::string csv_text(const OwnedTable& table) {
  std::string out;
  if (table.rows() == 0) return out;
  out.reserve(table.rows() * table.columns.size() * 12);
  for (const OwnedTable::Column& column : table.columns) {
    append_csv(out, title_of(column));
    out += ',';
  }
  out.back() = '\n';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const OwnedTable::Column& column : table.columns) {
      if (column.type == CellType::kText)
        append_csv(out, column.texts[row]);
      else
        append_number(out, column, row);
      out += ',';
    }
    out.back() = '\n';
  }
  out += '\n';
  return out;
}

std::string json_text(const OwnedTable& table) {
  std::vector<std::string> keys;
  for (const OwnedTable::Column& column : table.columns) keys.push_back(nlohmann::json(title_of(column)).dump() + ": ");
  std::string out = "[";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    out += row == 0 ? "\n  {" : ",\n  {";
    for (std::size_t c = 0; c < keys.size(); ++c) {
      if (c > 0) out += ", ";
      out += keys[c];
      const std::size_t before = out.size();
      if (table.columns[c].type == CellType::kText)
        out += nlohmann::json(table.columns[c].texts[row]).dump();
      else
        append_number(out, table.columns[c], row);
      if (out.size() == before) out += "null";
    }
    out += '}';
  }
  return out + (table.rows() == 0 ? "]\n" : "\n]\n");
}

std::string cell_of(const OwnedTable::Column& column, std::size_t row) {
  if (column.type == CellType::kText) return column.texts[row];
  std::string out;
  append_number(out, column, row);
  return out;
}

/// Columns that are left for the widest column of texts, where all others stay whole.
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
  return std::max(kLeastNameWidth, width > others ? width - others : 0);
}

std::string table_text(const OwnedTable& table, std::size_t width) {
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
  std::ostringstream out;
  text.print(out, 0);
  return out.str() + "\n";
}

}  // namespace

const char* extension_of(StatsFormat format) {
  return format == StatsFormat::kCsv ? ".csv" : format == StatsFormat::kJson ? ".json" : ".txt";
}

std::string stats_text(const OwnedTable& table, StatsFormat format, std::size_t width) {
  if (format == StatsFormat::kCsv) return csv_text(table);
  return format == StatsFormat::kJson ? json_text(table) : table_text(table, width);
}

}  // namespace assay
