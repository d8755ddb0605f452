#include "config/label_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "assay/detail/text.hpp"

namespace assay {
namespace {

Result<ParsedLabel> as_integer(std::string_view text) {
  const auto number = number_in<std::int64_t>(text);
  if (!number) return Error{"is not an integer of at most 64 bits"};
  return ParsedLabel{std::to_string(*number), static_cast<double>(*number)};
}

Result<ParsedLabel> as_number(std::string_view text) {
  const auto number = number_in<double>(text);
  if (!number || !std::isfinite(*number)) return Error{"is not a number"};
  return ParsedLabel{shortest(*number), *number};
}

}  // namespace

std::string shortest(double number) {
  constexpr double kExact = 9007199254740992.0;  // up to here every integer is a distinct double
  if (number == std::floor(number) && std::abs(number) <= kExact)
    return std::to_string(static_cast<std::int64_t>(number));
  char text[64];
  return {text, std::to_chars(text, text + sizeof(text), number).ptr};
}

std::string_view label_type_name(LabelType type) {
  switch (type) {
    case LabelType::kInteger:
      return "int";
    case LabelType::kNumber:
      return "number";
    case LabelType::kText:
      return "text";
  }
  return "";
}

Result<ParsedLabel> read_label_value(const LabelSpec& label, std::string_view text) {
  if (text.empty()) return Error{"is empty"};
  Result<ParsedLabel> value = label.type == LabelType::kInteger  ? as_integer(text)
                              : label.type == LabelType::kNumber ? as_number(text)
                                                                 : ParsedLabel{std::string(text), 0};
  if (!value || label.values.empty()) return value;
  const auto at = std::find(label.values.begin(), label.values.end(), value->text);
  if (at == label.values.end())
    return Error{fmt::format("is not one of the declared values {}", fmt::join(label.values, ", "))};
  if (label.type == LabelType::kText) value->order = static_cast<double>(at - label.values.begin());
  return value;
}

}  // namespace assay
