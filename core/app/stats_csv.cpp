// CSV as nsys stats prints it, as fast as its digits can be written.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "app/stats_text.hpp"
#include "files/utf8.hpp"

namespace assay {
namespace {

std::size_t rows_of(const ColumnView& column) {
  return std::max({column.texts.size, column.integers.size, column.numbers.size});
}

/// Whether a byte has to be looked at: a cell with it is quoted, or may not be UTF-8. Without a branch, so that many
/// are asked at once.
constexpr bool is_odd(char c) {
  return c == ',' || c == '"' || c == '\r' || c == '\n' || static_cast<signed char>(c) < 0;
}

bool all_even(std::string_view text) {
  unsigned odd = 0;
  for (const char c : text) odd |= is_odd(c) ? 1U : 0U;
  return odd == 0;
}

}  // namespace

void CsvWriter::make_room(std::size_t bytes) {
  // The last byte stays: it may be the comma that a row ends with.
  if (used_ > 1) {
    out_.write(block_.data(), static_cast<std::streamsize>(used_ - 1));
    block_[0] = block_[used_ - 1];
    used_ = 1;
  }
  if (block_.size() - used_ < bytes) block_.resize(used_ + bytes);
}

void CsvWriter::pass_on() {
  out_.write(block_.data(), static_cast<std::streamsize>(used_));
  used_ = 0;
}

void CsvWriter::integer(std::int64_t value) {
  constexpr std::size_t kMost = 20;
  if (value == kNoInteger) return;
  char* const at = room(kMost);
  used_ += static_cast<std::size_t>(std::to_chars(at, at + kMost, value).ptr - at);
}

void CsvWriter::number(double value, int decimals) {
  if (std::isnan(value)) return;
  char* const at = room(kMostStatsDigits);
  const auto end = std::to_chars(at, at + kMostStatsDigits, value, std::chars_format::fixed, decimals).ptr;
  used_ += static_cast<std::size_t>(end - at);
}

void CsvWriter::text(std::string_view text) {
  if (all_even(text)) {
    if (text.empty()) return;
    std::memcpy(room(text.size()), text.data(), text.size());
    used_ += text.size();
    return;
  }
  const std::string valid = to_utf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) {
    std::memcpy(room(valid.size()), valid.data(), valid.size());
    used_ += valid.size();
    return;
  }
  char* at = room(2 * valid.size() + 2);
  const char* const begin = at;
  *at++ = '"';
  for (const char c : valid) {
    if (c == '"') *at++ = '"';
    *at++ = c;
  }
  *at++ = '"';
  used_ += static_cast<std::size_t>(at - begin);
}

void CsvWriter::heading(const TableView& table) {
  for (const ColumnView& column : table.columns) {
    text(stats_title(column.name, column.unit));
    comma();
  }
  end_row();
  begun_ = true;
}

void CsvWriter::rows(const TableView& table) {
  const std::size_t rows = table.columns.empty() ? 0 : rows_of(table.columns[0]);
  if (rows == 0) return;
  if (!begun_) heading(table);
  std::vector<int> decimals;
  for (const ColumnView& column : table.columns) decimals.push_back(stats_decimals(column.unit));
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < table.columns.size; ++c) {
      const ColumnView& column = table.columns[c];
      if (column.type == CellType::kText)
        text(column.texts[row]);
      else if (column.type == CellType::kInteger)
        integer(column.integers[row]);
      else
        number(column.numbers[row], decimals[c]);
      comma();
    }
    end_row();
  }
}

void CsvWriter::finish() {
  if (begun_) {
    *room(1) = '\n', ++used_;
    pass_on();
  }
  begun_ = false;
}

}  // namespace assay
