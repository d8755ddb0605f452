#include "formats/ncu/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace assay::ncu {
namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// Removes grouping signs that no locale uses as a decimal sign: spaces, no-break spaces, apostrophes.
std::string without_blank_groups(std::string_view text) {
  constexpr std::string_view kMarks[] = {" ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99"};
  std::string out;
  while (!text.empty()) {
    std::size_t skip = 0;
    for (const std::string_view mark : kMarks) {
      if (text.starts_with(mark)) skip = mark.size();
    }
    if (skip == 0) out += text.front();
    text.remove_prefix(skip == 0 ? 1 : skip);
  }
  return out;
}

/// Whether `digits` is a group of one to three digits followed by groups of three, each preceded by `mark`.
bool is_grouped(std::string_view digits, char mark) {
  const std::size_t first = digits.find(mark);
  if (first == std::string_view::npos) return true;
  if (first == 0 || first > 3) return false;
  for (std::size_t at = first; at < digits.size(); at += 4) {
    if (digits[at] != mark || digits.size() - at < 4) return false;
    for (std::size_t i = 1; i < 4; ++i) {
      if (!is_decimal(digits[at + i])) return false;
    }
  }
  return digits[0] != '0';
}

/// The value if `decimal` is the decimal sign and `group` separates thousands.
std::optional<double> read(std::string_view text, char decimal, char group) {
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  std::string_view mantissa = text.substr(0, exponent);
  const bool negative = mantissa.starts_with('-');
  if (negative || mantissa.starts_with('+')) mantissa.remove_prefix(1);
  const std::size_t sign = std::min(mantissa.find(decimal), mantissa.size());
  const std::string_view whole = mantissa.substr(0, sign), rest = mantissa.substr(sign);
  if (!is_grouped(whole, group) || rest.find(group) != std::string_view::npos) return std::nullopt;
  std::string plain = negative ? "-" : "";
  for (const char c : whole) {
    if (c != group) plain += c;
  }
  if (!rest.empty()) plain.append(".").append(rest.substr(1));
  plain += text.substr(exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

PrintedNumber printed_number(std::string_view text) {
  const std::string plain = without_blank_groups(text);
  const bool begins_like_one = !plain.empty() && plain.find_first_of("0123456789") != std::string::npos &&
                               plain.find_first_not_of("0123456789+-.,eE") == std::string::npos;
  if (!begins_like_one) return {};
  return {read(plain, '.', ','), read(plain, ',', '.')};
}

}  // namespace assay::ncu
