// Levels over time in tables declared by formats.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "assay/report.hpp"

namespace assay {

struct DeclaredLevel {
  std::int64_t time = 0;  ///< ns; valid until the next level with its name
  std::string name;       ///< of the column, with the row's key if there are several
  std::string value;      ///< a number of JSON
};

/// Calls `use(DeclaredLevel)` for changes of a table's counters, column by column, at times accepted by `shows`.
/// `time`, `key`: integer columns; null: the table has none.
template <class Shows, class Use>
void each_level(const DeclaredTable& table, const DeclaredColumn* time, const DeclaredColumn* key, Shows&& shows,
                Use&& use) {
  if (time == nullptr || table.rows == 0) return;
  const auto integers = [](const DeclaredColumn* of) { return static_cast<const std::int64_t*>(of->cells); };
  const std::int64_t* const keys = key == nullptr || key->kind != CellKind::kInteger ? nullptr : integers(key);
  const bool several =
      keys != nullptr && std::any_of(keys, keys + table.rows, [&](auto one) { return one != keys[0]; });
  for (const DeclaredColumn& column : table.columns) {
    if (column.role != CellRole::kCounter || column.kind == CellKind::kText || column.cells == nullptr) continue;
    const bool real = column.kind == CellKind::kReal;
    std::map<std::int64_t, double> last;
    for (std::size_t row = 0; row < table.rows; ++row) {
      const std::int64_t integer = real ? 0 : integers(&column)[row];
      const double number = real ? static_cast<const double*>(column.cells)[row] : static_cast<double>(integer);
      if (!std::isfinite(number) || integer == kNoCell || !shows(integers(time)[row])) continue;
      const auto [at, is_first] = last.try_emplace(several ? keys[row] : 0, number);
      if (!is_first && std::exchange(at->second, number) == number) continue;
      use(DeclaredLevel{integers(time)[row],
                        several ? fmt::format("{} {}", column.name.view(), keys[row]) : std::string(column.name.view()),
                        real ? fmt::format("{}", number) : std::to_string(integer)});
    }
  }
}

}  // namespace assay
