#include "look/page.hpp"

#include <algorithm>
#include <cmath>

#include "algo/page_sections.hpp"
#include "assay/quantity.hpp"
#include "assay/words.hpp"
#include "render/format.hpp"

namespace assay::look {
namespace {

constexpr int kDecimals = 3;  // at most

/// Three significant digits, at most three of them decimals: "621", "51.9", "0.087".
std::string digits_of(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 0.5 * std::pow(10.0, -kDecimals)) return value < 0 ? "> -0.001" : "< 0.001";
  return fixed(value, std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, kDecimals));
}

/// "7,380".
std::string grouped(double count) {
  std::string text = fixed(count, 0);
  for (std::size_t at = text.size(); at > 3 + (text.front() == '-' ? 1U : 0U); at -= 3) text.insert(at - 3, ",");
  return text;
}

/// Pads numbers with blanks so that the decimal points of right-aligned cells stand below each other.
void align(std::vector<std::string>& cells) {
  const auto after = [](const std::string& cell) {
    const std::size_t point = cell.find('.');
    return point == std::string::npos ? 0 : cell.size() - point;
  };
  std::size_t most = 0;
  for (const std::string& cell : cells) most = std::max(most, after(cell));
  for (std::string& cell : cells) {
    if (!cell.empty() && cell != kNotKnown) cell.append(most - after(cell), ' ');
  }
}

}  // namespace

ColumnTexts column_texts(const std::vector<double>& values, std::string_view unit, bool whole) {
  double most = 0;
  for (const double value : values) most = std::isfinite(value) ? std::max(most, std::abs(value)) : most;
  const bool share = unit == "ratio" || unit == "%", count = unit == "1" && whole;
  const DisplayUnit shown = display_unit(most, unit);
  ColumnTexts out{share ? "" : std::string(shown.name), {}};
  for (const double value : values) {
    out.cells.push_back(!std::isfinite(value) ? kNotKnown
                        : share               ? page::share_text(unit == "%" ? value / 100 : value)
                        : count               ? grouped(value)
                                              : digits_of(value / shown.factor));
  }
  if (!share && !count) align(out.cells);
  return out;
}

PageSection with_units(PageSection part) {
  if (!part.unit.empty()) part.title += ", " + part.unit;
  for (TextTable::Column& column : part.columns) {
    if (!column.unit.empty() && column.title != column.unit)
      column.title += (column.title.empty() ? "" : ", ") + column.unit;
  }
  return part;
}

PageSection with_small_rows_joined(const PageSection& part) {
  constexpr double kSmall = 0.01;
  std::vector<std::size_t> kept, small;
  for (std::size_t r = 0; r < part.shares.size(); ++r) (part.shares[r] < kSmall ? small : kept).push_back(r);
  if (small.size() < 2) return part;
  PageSection out = part;
  out.rows.assign(kept.size() + 1, {});
  for (std::size_t c = 0; c < part.columns.size(); ++c) {
    const PartValues& column = part.values[c];
    PartValues& joined = out.values[c];
    std::vector<std::string> cells;
    if (column.texts.empty()) {
      joined.numbers.clear();
      for (const std::size_t r : kept) joined.numbers.push_back(column.numbers[r]);
      joined.numbers.push_back(0);
      for (const std::size_t r : small) joined.numbers.back() += column.numbers[r];
      cells = column_texts(joined.numbers, column.unit, column.whole).cells;
    } else {
      for (const std::size_t r : kept) cells.push_back(part.rows[r][c]);
      cells.push_back(c == 0 ? filled("{} under 1 %", {std::to_string(small.size())}) : "");
      joined.texts = cells;
    }
    for (std::size_t r = 0; r < cells.size(); ++r) out.rows[r].push_back(std::move(cells[r]));
  }
  out.shares.clear();
  for (const std::size_t r : kept) out.shares.push_back(part.shares[r]);
  out.shares.push_back(0);
  for (const std::size_t r : small) out.shares.back() += part.shares[r];
  return out;
}

}  // namespace assay::look
