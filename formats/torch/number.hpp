// Converts JSON number tokens to integers without floating point.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::load {

/// A JSON token without surrounding white space and quotes.
inline std::string_view bare(std::string_view token) {
  const auto idle = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '"'; };
  while (!token.empty() && idle(token.back())) token.remove_suffix(1);
  while (!token.empty() && idle(token.front())) token.remove_prefix(1);
  return token;
}

/// A decimal number times 10^shift, rounded to the nearest integer, halves away from zero: "1.5" with shift 3 is 1500.
/// The token may be quoted. Empty if it is not a number or does not fit.
std::optional<std::int64_t> parse_decimal(std::string_view token, int shift = 0);

/// A handle in hexadecimal, as some profilers write queues: "0x7f30a4"; the token may be quoted. Empty for others.
std::optional<std::int64_t> parse_handle(std::string_view token);

/// A time stamp in microseconds, as nanoseconds.
inline std::optional<std::int64_t> parse_time(std::string_view token) { return parse_decimal(token, 3); }

/// A duration in microseconds, as nanoseconds; at least 1 unless it is 0.
std::optional<std::int64_t> parse_duration(std::string_view token);

}  // namespace assay::load
