// Invariants of the parts shared by report results and conclusions; checked when either is read back
// (cache/both_ways.hpp).
#pragma once

#include <algorithm>
#include <cmath>

#include "analyze/facts.hpp"
#include "cache/both_ways.hpp"

namespace assay {

constexpr CellType last_of(CellType) { return CellType::kNumber; }
constexpr SkipCause last_of(SkipCause) { return SkipCause::kNoFramework; }

inline bool holds(const Fact& fact) {
  return std::isfinite(fact.value) &&
         std::all_of(fact.samples.begin(), fact.samples.end(), [](double sample) { return std::isfinite(sample); });
}

/// Whether every column has cells of its own type only, all in equal number.
inline bool holds(const OwnedTable& table) {
  const auto whole = [&](const OwnedTable::Column& column) {
    const std::size_t cells = column.texts.size() + column.integers.size() + column.numbers.size();
    const std::size_t of_type = column.type == CellType::kText      ? column.texts.size()
                                : column.type == CellType::kInteger ? column.integers.size()
                                                                    : column.numbers.size();
    return of_type == cells && cells == table.rows();
  };
  return !table.columns.empty() && std::all_of(table.columns.begin(), table.columns.end(), whole);
}

}  // namespace assay
