// Values of JSON objects; what is missing or of another kind is empty or kNoCell.
#pragma once

#include <simdjson.h>

#include <cmath>

#include "assay/report.hpp"
#include "code_lines.hpp"

namespace assay::torch_compile {

namespace dom = simdjson::dom;

inline std::string_view text_of(const dom::object& object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

/// The number times `scale`, rounded.
inline std::int64_t number_of(const dom::object& object, std::string_view key, double scale = 1) {
  constexpr double kTooLarge = 9e18;
  double number = 0;
  if (object[key].get(number) != simdjson::SUCCESS || !(std::abs(number * scale) < kTooLarge)) return kNoCell;
  const double whole = std::floor(number);  // times in microseconds have more digits than a double times 1000
  return static_cast<std::int64_t>(whole) * static_cast<std::int64_t>(scale) + std::llround((number - whole) * scale);
}

/// Calls `use(text)` for each text of an array.
template <class Use>
void each_text(const dom::element& element, Use use) {
  dom::array array;
  if (element.get(array) != simdjson::SUCCESS) return;
  for (const dom::element one : array) {
    std::string_view text;
    if (one.get(text) == simdjson::SUCCESS) use(text);
  }
}

/// Lists of texts by key.
inline NameLists lists_of(const dom::object& object) {
  NameLists lists;
  for (const auto& [name, values] : object) {
    each_text(values, [&, &key = name](std::string_view text) { lists[std::string(key)].emplace_back(text); });
  }
  return lists;
}
inline NameLists lists_of(const dom::object& object, std::string_view key) {
  dom::object members;
  return object[key].get(members) == simdjson::SUCCESS ? lists_of(members) : NameLists();
}

}  // namespace assay::torch_compile
