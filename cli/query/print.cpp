#include "cli/query/print.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "render/text.hpp"

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

/// Bytes of a blob as SQL writes them.
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

std::vector<Cell> cells_of(const Query& query) {
  std::vector<Cell> cells;
  for (int c = 0; c < query.columns(); ++c) cells.push_back(cell_of(query.row(), c));
  return cells;
}

class TableWriter {
 public:
  TableWriter(const Query& query, std::ostream& out) : out_(out) {
    for (int c = 0; c < query.columns(); ++c) names_.push_back(one_line(query.column_name(c)));
  }
  void row(std::vector<Cell> cells) {
    constexpr std::size_t kMeasured = 500;  // rows that the widths are taken from
    for (Cell& cell : cells) {
      if (!cell.number) cell.text = one_line(cell.text);
    }
    if (printing_) return print(cells);
    waiting_.push_back(std::move(cells));
    if (waiting_.size() == kMeasured) begin();
  }
  void end() {
    if (!printing_) begin();
  }

 private:
  void begin() {
    printing_ = true;
    for (const std::string& name : names_) widths_.push_back(display_width(name)), right_.push_back(true);
    for (const std::vector<Cell>& cells : waiting_) {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        widths_[c] = std::max(widths_[c], display_width(cells[c].text));
        right_[c] = right_[c] && (cells[c].number || cells[c].null);
      }
    }
    std::vector<Cell> header;
    for (const std::string& name : names_) header.push_back({name});
    print(header);
    std::vector<Cell> rule;
    for (const std::size_t width : widths_) rule.push_back({std::string(width, '-')});
    print(rule);
    for (const std::vector<Cell>& cells : waiting_) print(cells);
    waiting_.clear();
  }
  void print(const std::vector<Cell>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::size_t used = display_width(cells[c].text), blanks = widths_[c] > used ? widths_[c] - used : 0;
      if (c > 0) line += "  ";
      if (right_[c]) line.append(blanks, ' ');
      line += cells[c].text;
      if (!right_[c] && c + 1 < cells.size()) line.append(blanks, ' ');
    }
    out_ << line << "\n";
  }

  std::ostream& out_;
  std::vector<std::string> names_;
  std::vector<std::size_t> widths_;
  std::vector<char> right_;
  std::vector<std::vector<Cell>> waiting_;
  bool printing_ = false;
};

class LineWriter {
 public:
  LineWriter(const Query& query, std::ostream& out) : out_(out) {
    for (int c = 0; c < query.columns(); ++c) {
      names_.push_back(one_line(query.column_name(c)));
      width_ = std::max(width_, display_width(names_.back()));
    }
  }
  void row(const std::vector<Cell>& cells) {
    if (!first_) out_ << "\n";
    first_ = false;
    for (std::size_t c = 0; c < cells.size(); ++c)
      out_ << std::string(width_ - display_width(names_[c]), ' ') << names_[c] << " = " << one_line(cells[c].text)
           << "\n";
  }
  void end() {}

 private:
  std::ostream& out_;
  std::vector<std::string> names_;
  std::size_t width_ = 0;
  bool first_ = true;
};

class CsvWriter {
 public:
  CsvWriter(const Query& query, std::ostream& out) : out_(out) {
    std::vector<Cell> header;
    for (int c = 0; c < query.columns(); ++c) header.push_back({query.column_name(c)});
    row(header);
  }
  void row(const std::vector<Cell>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) out_ << (c > 0 ? "," : "") << csv_cell(cells[c].text);
    out_ << "\n";
  }
  void end() {}

 private:
  std::ostream& out_;
};

class JsonWriter {
 public:
  JsonWriter(const Query& query, std::ostream& out) : out_(out) {
    for (int c = 0; c < query.columns(); ++c) names_.push_back(json_text(query.column_name(c)));
    out_ << "[";
  }
  void row(const std::vector<Cell>& cells) {
    out_ << (first_ ? "\n {" : ",\n {");
    first_ = false;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const Cell& cell = cells[c];
      const bool finite = cell.number && cell.text.find("inf") == std::string::npos;
      out_ << (c > 0 ? ", " : "") << names_[c] << ": "
           << (cell.null ? "null"
               : finite  ? cell.text
                         : json_text(cell.text));
    }
    out_ << "}";
  }
  void end() { out_ << (first_ ? "]\n" : "\n]\n"); }

 private:
  static std::string json_text(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  std::ostream& out_;
  std::vector<std::string> names_;
  bool first_ = true;
};

template <class Writer>
std::optional<Problem> write(Query& query, std::ostream& out) {
  Writer writer(query, out);
  for (;;) {
    const Query::Step step = query.step();
    if (step == Query::Step::kRow) {
      writer.row(cells_of(query));
      continue;
    }
    std::optional<Problem> problem;
    if (step == Query::Step::kFailed) problem = query.problem();
    writer.end();
    return problem;
  }
}

}  // namespace

std::optional<Problem> print_rows(Query& query, Format format, std::ostream& out) {
  switch (format) {
    case Format::kLine:
      return write<LineWriter>(query, out);
    case Format::kCsv:
      return write<CsvWriter>(query, out);
    case Format::kJson:
      return write<JsonWriter>(query, out);
    default:
      return write<TableWriter>(query, out);
  }
}

}  // namespace assay::query
