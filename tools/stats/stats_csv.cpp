// CSV as printed by nsys stats, at the speed of writing digits: cells are formatted in place, and the buffer grows once
// per row.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "files/utf8.hpp"
#include "render/text.hpp"
#include "stats/stats_text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxInteger = 20;

std::size_t rows_of(const ColumnView& column) {
  return std::max({column.texts.size, column.integers.size, column.numbers.size});
}

/// "00", "01", ... "99".
constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

/// 10, 100, ... as far as 64 bits go.
constexpr std::array<std::uint64_t, 19> kPowers = [] {
  std::array<std::uint64_t, 19> powers{};
  std::uint64_t power = 1;
  for (std::uint64_t& p : powers) p = power *= 10;
  return powers;
}();

/// Number of decimal digits without a data-dependent branch: bits times log10(2), plus one if the power of ten is
/// reached.
unsigned digits_of(std::uint64_t value) {
  const auto least = static_cast<unsigned>(std::bit_width(value | 1) - 1) * 1233U >> 12U;
  return least + 1 + (value >= kPowers[least] ? 1U : 0U);
}

/// These write a cell and return its end; the buffer has room for it.
char* write_integer(char* to, std::int64_t value) {
  if (value == kNoInteger) return to;
  if (value < 0) *to++ = '-';
  auto left = static_cast<std::uint64_t>(value < 0 ? -value : value);
  // Writes digits in place: copying them from a small buffer would stall on store-to-load forwarding.
  char* const end = to + digits_of(left);
  char* at = end;
  for (; left >= 100; left /= 100) std::memcpy(at -= 2, &kPairs[left % 100 * 2], 2);
  if (left >= 10)
    std::memcpy(at - 2, &kPairs[left * 2], 2);
  else
    at[-1] = static_cast<char>('0' + left);
  return end;
}

char* write_number(char* to, double value, int decimals) {
  if (std::isnan(value)) return to;
  return std::to_chars(to, to + kMaxStatsDigits, value, std::chars_format::fixed, decimals).ptr;
}

/// Whether a byte needs attention: a cell with it is quoted, or may not be UTF-8.
constexpr bool is_odd(char c) {
  return c == ',' || c == '"' || c == '\r' || c == '\n' || static_cast<signed char>(c) < 0;
}

/// Max size of a cell: a byte that is not UTF-8 becomes three, a quote two.
constexpr std::size_t most_of(std::string_view text) { return 3 * text.size() + 2; }

bool is_odd(std::string_view text) {
  unsigned odd = 0;
  for (const char c : text) {  // branch-free, so that the loop vectorizes
    odd |= is_odd(c) ? 1U : 0U;
  }
  return odd != 0;
}

char* write_bytes(char* to, std::string_view bytes) { return std::copy(bytes.begin(), bytes.end(), to); }

/// Cell of a text with a byte that needs attention.
std::string odd_cell(std::string_view text) { return csv_cell(to_utf8(text)); }

/// Slot by address and size: report strings are interned, so a kernel name has the same address in thousands of rows.
std::size_t slot_of(std::string_view text, std::size_t slots) {
  const auto address = reinterpret_cast<std::uintptr_t>(text.data());
  return ((address + text.size()) * 0x9E3779B97F4A7C15U >> 40U) % slots;  // Fibonacci hashing
}

/// Max size of the cells of a row without texts.
std::size_t most_without_texts(const TableView& table) {
  std::size_t most = 0;
  for (const ColumnView& column : table.columns)
    most += 1 + (column.type == CellType::kNumber ? kMaxStatsDigits : kMaxInteger);
  return most;
}

}  // namespace

void CsvWriter::make_room(std::size_t bytes) {
  if (block_.size() - used_ >= bytes) return;
  out_.write(block_.data(), static_cast<std::streamsize>(used_));
  used_ = 0;
  if (block_.size() < bytes) block_.resize(bytes);
}

char* CsvWriter::write_text(char* to, std::string_view text) {
  constexpr std::size_t kQuickToLookThrough = 24;
  if (text.size() <= kQuickToLookThrough && !is_odd(text)) return write_bytes(to, text);
  KnownCell& known = known_[slot_of(text, known_.size())];
  if (known.text.data() != text.data() || known.text.size() != text.size())
    known = {text, is_odd(text) ? odd_cell(text) : std::string(text)};
  return write_bytes(to, known.cell);
}

void CsvWriter::heading(const TableView& table) {
  for (const ColumnView& column : table.columns) {
    const std::string title = stats_title(column.name, column.unit);
    make_room(most_of(title) + 1);
    char* const at = write_bytes(block_.data() + used_, is_odd(title) ? odd_cell(title) : title);
    *at = ',';
    used_ = static_cast<std::size_t>(at + 1 - block_.data());
  }
  block_[used_ - 1] = '\n';
  begun_ = true;
}

void CsvWriter::rows(const TableView& table) {
  const std::size_t rows = table.columns.empty() ? 0 : rows_of(table.columns[0]);
  if (rows == 0) return;
  if (!begun_) heading(table);
  std::vector<int> decimals;
  for (const ColumnView& column : table.columns) decimals.push_back(stats_decimals(column.unit));
  const std::vector<ColumnView> columns(table.columns.begin(), table.columns.end());
  const std::size_t fixed = most_without_texts(table);
  for (KnownCell& cell : known_) cell.text = {};  // another text may be at the same address by now
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t most = fixed;
    for (const ColumnView& column : columns) {
      if (column.type == CellType::kText) most += most_of(column.texts[row]);
    }
    make_room(most);
    char* at = block_.data() + used_;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const ColumnView& column = columns[c];
      if (column.type == CellType::kInteger)
        at = write_integer(at, column.integers[row]);
      else if (column.type == CellType::kText)
        at = write_text(at, column.texts[row]);
      else
        at = write_number(at, column.numbers[row], decimals[c]);
      *at++ = ',';
    }
    at[-1] = '\n';
    used_ = static_cast<std::size_t>(at - block_.data());
  }
}

void CsvWriter::finish() {
  if (begun_) {
    out_.write(block_.data(), static_cast<std::streamsize>(used_));
    if (!alone_) out_ << '\n';
  }
  used_ = 0;
  begun_ = false;
}

}  // namespace assay
