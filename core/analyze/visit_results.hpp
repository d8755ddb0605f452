// The parts that what analyzers give of a report and what they conclude have in common, as bytes and back.
#pragma once

#include <algorithm>
#include <cmath>

#include "analyze/facts.hpp"
#include "cache/both_ways.hpp"

namespace assay {

using cache::EitherWay;

template <class To>
void visit(To& to, EitherWay<Fact> auto& fact) {
  auto& [metric, dims, value, samples] = fact;
  visit(to, metric);
  visit(to, dims);
  to.real(value);
  to.reals(samples);
  const auto finite = [](double number) { return std::isfinite(number); };
  to.require(finite(value) && std::all_of(samples.begin(), samples.end(), finite));
}

template <class To>
void visit(To& to, EitherWay<OwnedTable::Column> auto& column) {
  auto& [name, unit, type, texts, integers, numbers] = column;
  visit(to, name);
  visit(to, unit);
  to.one_of(type, CellType::kNumber);
  visit(to, texts);
  to.integers(integers);
  to.reals(numbers);
}

/// Whether every column has cells of its type alone, and all have equally many.
inline bool is_whole(const OwnedTable& table) {
  const auto whole = [&](const OwnedTable::Column& column) {
    const std::size_t cells = column.texts.size() + column.integers.size() + column.numbers.size();
    const std::size_t of_type = column.type == CellType::kText      ? column.texts.size()
                                : column.type == CellType::kInteger ? column.integers.size()
                                                                    : column.numbers.size();
    return of_type == cells && cells == table.rows();
  };
  return !table.columns.empty() && std::all_of(table.columns.begin(), table.columns.end(), whole);
}

template <class To>
void visit(To& to, EitherWay<OwnedTable> auto& table) {
  auto& [analyzer, id, title, columns] = table;
  visit(to, analyzer);
  visit(to, id);
  visit(to, title);
  visit(to, columns);
  to.require(is_whole(table));
}

template <class To>
void visit(To& to, EitherWay<Skip> auto& skip) {
  auto& [report, analyzer, reason, failed] = skip;
  visit(to, report);
  visit(to, analyzer);
  visit(to, reason);
  to.flag(failed);
}

}  // namespace assay
