#include "query/row_order.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace assay::query {
namespace {

/// A rank per row, less than `end`: rows with equal values have equal ranks.
struct Ranks {
  std::vector<std::uint32_t> of_row;
  std::uint32_t end = 0;
};

/// Ranks of numbered texts; NULL has no number. `used`: by number, whether a row has it.
template <class TextOf>
std::vector<std::uint32_t> ranks_of_texts(const std::vector<char>& used, const TextOf& text_of) {
  std::vector<std::pair<std::optional<std::string_view>, std::uint32_t>> texts;
  for (std::uint32_t number = 0; number < used.size(); ++number) {
    if (used[number] != 0) texts.emplace_back(text_of(number), number);
  }
  std::ranges::sort(texts);
  std::vector<std::uint32_t> ranks(used.size(), 0);
  for (std::size_t t = 1; t < texts.size(); ++t) {
    const std::uint32_t before = ranks[texts[t - 1].second];
    ranks[texts[t].second] = before + (texts[t].first == texts[t - 1].first ? 0U : 1U);
  }
  return ranks;
}

template <class NumberOf, class TextOf>
Ranks ranks_by_text(std::size_t rows, std::size_t numbers, const NumberOf& number_of, const TextOf& text_of) {
  std::vector<char> used(numbers, 0);
  for (std::size_t row = 0; row < rows; ++row) used[number_of(row)] = 1;
  const std::vector<std::uint32_t> ranks = ranks_of_texts(used, text_of);
  Ranks made{std::vector<std::uint32_t>(rows), static_cast<std::uint32_t>(numbers)};
  for (std::size_t row = 0; row < rows; ++row) made.of_row[row] = ranks[number_of(row)];
  return made;
}

Ranks ranks_of_names(const SqlColumn& column, const CellSource& place, std::size_t rows) {
  const Column<StringId>& ids = *column.strings(place.table, column.offset);
  return ranks_by_text(
      rows, static_cast<std::size_t>(place.report->strings.size), [&](std::size_t row) { return ids[row]; },
      [&](StringId id) { return id == 0 ? std::nullopt : std::optional(place.report->string(id)); });
}

Ranks ranks_of_words(const SqlColumn& column, const CellSource& place, std::size_t rows) {
  constexpr std::size_t kCodes = 256;
  return ranks_by_text(
      rows, kCodes, [&](std::size_t row) { return column.words.code(place.table, row, column.offset); },
      [&](std::uint32_t code) { return column.words.word(static_cast<std::uint8_t>(code)); });
}

/// Empty if the numbers are too sparse for a counting sort.
std::optional<Ranks> ranks_of_numbers(const SqlColumn& column, const CellSource& place, std::size_t rows) {
  const auto value = [&](std::size_t row) { return column.integer(place, row, column.offset); };
  std::int64_t least = 0, most = 0;
  bool any = false;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int64_t number = value(row);
    if (number == kNull) continue;
    least = any ? std::min(least, number) : number;
    most = any ? std::max(most, number) : number;
    any = true;
  }
  constexpr std::uint64_t kAlways = 1U << 16;
  const std::uint64_t width = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
  if (width > std::max<std::uint64_t>(kAlways, rows)) return std::nullopt;
  Ranks ranks{std::vector<std::uint32_t>(rows), static_cast<std::uint32_t>(width) + 2};
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int64_t number = value(row);
    ranks.of_row[row] = number == kNull ? 0 : static_cast<std::uint32_t>(number - least) + 1;
  }
  return ranks;
}

/// Stable: keeps the order of rows with equal ranks.
void order_by(const Ranks& ranks, std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> next(ranks.end, 0), ordered(order.size());
  for (const std::uint32_t rank : ranks.of_row) ++next[rank];
  std::uint32_t before = 0;
  for (std::uint32_t& count : next) before += std::exchange(count, before);
  for (const std::uint32_t row : order) ordered[next[ranks.of_row[row]]++] = row;
  order = std::move(ordered);
}

void order_by(const SqlColumn& column, const CellSource& place, std::vector<std::uint32_t>& order) {
  if (column.strings != nullptr) return order_by(ranks_of_names(column, place, order.size()), order);
  if (column.words.code != nullptr) return order_by(ranks_of_words(column, place, order.size()), order);
  if (column.integer == nullptr) return;  // the report, which all rows have in common
  if (const auto ranks = ranks_of_numbers(column, place, order.size())) return order_by(*ranks, order);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return column.integer(place, row, column.offset); });
}

}  // namespace

bool has_order(const SqlColumn& column) {
  return column.strings != nullptr || column.words.code != nullptr || column.integer != nullptr ||
         column.role == Role::kReport;
}

std::vector<std::uint32_t> rows_by(std::span<const SqlColumn* const> columns, const CellSource& place) {
  std::vector<std::uint32_t> order(SqlTable::rows(place.table));
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t c = columns.size(); c-- > 0;) {
    const SqlColumn& column = *columns[c];
    if (column.present == nullptr || column.present(place.table, column.offset)) order_by(column, place, order);
  }
  return order;
}

std::vector<std::uint32_t> rows_with_number(const SqlColumn& column, const CellSource& place) {
  const auto value = [&](std::uint32_t row) { return column.integer(place, row, column.offset); };
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < SqlTable::rows(place.table); ++row) {
    if (value(row) != kNull) order.push_back(row);
  }
  std::ranges::stable_sort(order, {}, value);
  return order;
}

}  // namespace assay::query
