#include "sql/print.hpp"

#include <charconv>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

namespace assay::query {
namespace {

struct Cell {
  std::string text;
  bool number = false, null = false;
};

std::string real_text(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  constexpr std::size_t kLongest = 32;
  char buffer[kLongest];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value);
  return {std::begin(buffer), end.ptr};
}

/// Bytes of a blob in SQL notation.
std::string hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text = "X'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text + "'";
}

Cell cell_of(sqlite3_stmt* row, int column) {
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_NULL:
      return {{}, false, true};
    case SQLITE_INTEGER:
      return {std::to_string(sqlite3_column_int64(row, column)), true};
    case SQLITE_FLOAT:
      return {real_text(sqlite3_column_double(row, column)), true};
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(row, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
      return {hex({size == 0 ? "" : bytes, size})};
    }
    default: {
      const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
      return {bytes == nullptr ? std::string() : std::string(bytes, size)};
    }
  }
}

}  // namespace

std::optional<StatementError> print_rows(Query& query, RowFormat format, std::ostream& out, std::size_t most,
                                         bool* more) {
  std::vector<std::string> titles;
  for (int c = 0; c < query.columns(); ++c) titles.emplace_back(query.column_name(c));
  const std::unique_ptr<RowWriter> rows = row_writer(format, titles, out);
  std::vector<Cell> held(static_cast<std::size_t>(query.columns()));
  std::vector<RowCell> cells(held.size());
  Query::Step step = query.step();
  for (std::size_t printed = 0; step == Query::Step::kRow && out; step = query.step()) {
    if (most > 0 && printed++ == most) {
      if (more != nullptr) *more = true;
      break;
    }
    for (std::size_t c = 0; c < held.size(); ++c) {
      held[c] = cell_of(query.row(), static_cast<int>(c));
      cells[c] = {held[c].text, held[c].number, held[c].null};
    }
    rows->row(cells);
  }
  std::optional<StatementError> problem;
  if (step == Query::Step::kFailed) problem = query.problem();
  rows->end();
  return problem;
}

}  // namespace assay::query
