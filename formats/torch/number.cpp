#include "formats/torch/number.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "assay/detail/text.hpp"

namespace assay::load {
namespace {

/// sign * digits * 10^exponent.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
  bool negative = false;
};

constexpr std::uint64_t kMaxDigits = std::numeric_limits<std::uint64_t>::max() / 10 - 1;
constexpr int kMaxExponent = 1000;

/// Reads digits from `at` on into `decimal`; returns their number. Digits that do not fit any more only count as
/// places.
std::size_t read_digits(std::string_view token, std::size_t at, bool fraction, Decimal& decimal) {
  const std::size_t first = at;
  for (; at < token.size() && is_digit(token[at]); ++at) {
    if (decimal.digits <= kMaxDigits) {
      decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(token[at] - '0');
      decimal.exponent -= fraction ? 1 : 0;
    } else {
      decimal.exponent += fraction ? 0 : 1;
    }
  }
  return at - first;
}

std::optional<int> read_exponent(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = std::min(kMaxExponent, value * 10 + (c - '0'));
  }
  return negative ? -value : value;
}

std::optional<Decimal> read_decimal(std::string_view token) {
  token = bare(token);
  Decimal decimal;
  if (!token.empty() && token.front() == '-') {
    decimal.negative = true;
    token.remove_prefix(1);
  }
  std::size_t at = read_digits(token, 0, false, decimal);
  if (at == 0) return std::nullopt;
  if (at < token.size() && token[at] == '.') {
    const std::size_t places = read_digits(token, at + 1, true, decimal);
    if (places == 0) return std::nullopt;
    at += 1 + places;
  }
  if (at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
    const std::optional<int> exponent = read_exponent(token.substr(at + 1));
    if (!exponent) return std::nullopt;
    decimal.exponent += *exponent;
    at = token.size();
  }
  return at == token.size() ? std::optional(decimal) : std::nullopt;
}

/// digits / 10^places, rounding halves up.
std::uint64_t divided(std::uint64_t digits, int places) {
  std::uint64_t divisor = 1;
  for (; places > 0 && divisor <= kMaxDigits; --places) divisor *= 10;
  if (places > 0) return 0;
  const std::uint64_t rest = digits % divisor;
  return digits / divisor + (rest >= divisor - rest ? 1 : 0);
}

std::optional<std::int64_t> to_integer(Decimal decimal) {
  if (decimal.digits == 0) return 0;
  for (; decimal.exponent > 0; --decimal.exponent) {
    if (decimal.digits > kMaxDigits) return std::nullopt;
    decimal.digits *= 10;
  }
  const std::uint64_t value = decimal.exponent < 0 ? divided(decimal.digits, -decimal.exponent) : decimal.digits;
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
  return decimal.negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

}  // namespace

std::optional<std::int64_t> parse_decimal(std::string_view token, int shift) {
  std::optional<Decimal> decimal = read_decimal(token);
  if (!decimal) return std::nullopt;
  decimal->exponent += shift;
  return to_integer(*decimal);
}

std::optional<std::int64_t> parse_handle(std::string_view token) {
  const std::string_view text = bare(token);
  if (!text.starts_with("0x")) return std::nullopt;
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  const bool whole = error == std::errc() && stop == text.data() + text.size();
  return whole ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

std::optional<std::int64_t> parse_duration(std::string_view token) {
  std::optional<Decimal> decimal = read_decimal(token);
  if (!decimal) return std::nullopt;
  decimal->exponent += 3;
  const std::optional<std::int64_t> value = to_integer(*decimal);
  if (value == 0 && decimal->digits != 0) return decimal->negative ? -1 : 1;
  return value;
}

}  // namespace assay::load
