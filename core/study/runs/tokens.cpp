#include <algorithm>

#include "assay/detail/text.hpp"
#include "catalog/name_match.hpp"
#include "runs/fields.hpp"

namespace assay::naming {
namespace {

using Kind = Token::Kind;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0; }

std::size_t digits_in_front(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

bool two_digits(std::string_view text, int least, int most) {
  if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) return false;
  const int value = (text[0] - '0') * 10 + (text[1] - '0');
  return value >= least && value <= most;
}

/// Length of a leading day: 20240501, 2024-05-01, 2024_05_01; 0: none.
std::size_t day_length(std::string_view text) {
  if (!text.starts_with("20") || text.size() < 8 || !is_digit(text[2]) || !is_digit(text[3])) return 0;
  const bool apart = text[4] == '-' || text[4] == '_' || text[4] == '.';
  const std::size_t month = apart ? 5 : 4, day = apart ? 8 : 6, end = apart ? 10 : 8;
  if (text.size() < end || (apart && text[7] != text[4])) return 0;
  return two_digits(text.substr(month), 1, 12) && two_digits(text.substr(day), 1, 31) ? end : 0;
}

/// Length of a leading time of day: 14-35-09, 143509, 14h35, 14:35; 0: none.
std::size_t time_length(std::string_view text) {
  if (!two_digits(text, 0, 23)) return 0;
  const auto between = [&](std::size_t at) {
    return at < text.size() && std::string_view("-:._h").find(text[at]) != std::string_view::npos ? 1U : 0U;
  };
  const std::size_t minute = 2 + between(2);
  if (text.size() < minute + 2 || !two_digits(text.substr(minute), 0, 59)) return 0;
  const std::size_t second = minute + 2 + between(minute + 2);
  if (second - minute - 2 == minute - 2 && second < text.size() && two_digits(text.substr(second), 0, 59))
    return second + 2;
  return minute + 2;
}

/// Length of a leading date, including a following time of day: 2025-11-03T14-35-09, 20251103_142201; also seconds,
/// milliseconds, microseconds or nanoseconds since 1970 within this century. 0: none.
std::size_t date_length(std::string_view text) {
  const std::size_t digits = digits_in_front(text);
  const bool since_1970 = digits == 10 || digits == 13 || digits == 16 || digits == 19;
  if (since_1970 && text[0] == '1' && text[1] >= '0') return digits;
  std::size_t end = day_length(text);
  if (end == 0) return 0;
  if (end < text.size() && std::string_view("T_- .").find(text[end]) != std::string_view::npos) {
    std::size_t time = time_length(text.substr(end + 1));
    std::size_t after = end + 1 + time;
    if (time > 0 && after < text.size() && text[after] == 'Z') ++after;
    if (time > 0 && (after == text.size() || !is_digit(text[after]))) end = after;
  }
  return end < text.size() && is_digit(text[end]) ? 0 : end;
}

/// Length of an exponent after the digits of a number: 1e-4, 2.5e3. None for 3e8 in 3e8f, which is not a number.
std::size_t exponent_length(std::string_view text, std::size_t digits) {
  constexpr std::size_t kMaxDigits = 2;  // in the exponent of a learning rate or a tolerance
  const std::size_t length = digits == 0 ? 0 : exponent_at(text, digits);
  if (length == 0) return 0;
  const std::size_t sign = is_digit(text[digits + 1]) ? 0 : 1, end = digits + length;
  const bool goes_on = end < text.size() && is_letter(text[end]);
  return goes_on || length - 1 - sign > kMaxDigits ? 0 : length;
}

std::size_t number_length(std::string_view text) {
  constexpr std::size_t kMaxDigits = 18;  // of a 64-bit integer
  std::size_t end = std::min(digits_in_front(text), kMaxDigits);
  const bool point = end > 0 && end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]);
  if (point && date_length(text.substr(end + 1)) == 0) end += 1 + digits_in_front(text.substr(end + 1));
  return end + exponent_length(text, end);
}

}  // namespace

std::vector<Token> tokens_of(std::string_view stem) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < stem.size();) {
    const std::string_view rest = stem.substr(at);
    const bool fresh = at == 0 || !is_digit(stem[at - 1]);
    std::size_t length = fresh ? date_length(rest) : 0;
    Kind kind = Kind::kDate;
    if (length == 0) {
      length = number_length(rest);
      kind = Kind::kNumber;
    }
    if (length == 0) {
      kind = is_letter(rest.front()) ? Kind::kWord : Kind::kSeparator;
      length = 1;
      while (kind == Kind::kWord && length < rest.size() && is_letter(rest[length])) ++length;
    }
    tokens.push_back({kind, std::string(rest.substr(0, length))});
    at += length;
  }
  return tokens;
}

}  // namespace assay::naming
