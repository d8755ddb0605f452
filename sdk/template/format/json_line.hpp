// Members of a JSON object on one line, for formats with a simple layout.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

/// The text after `"key":`; empty if there is no such member.
inline std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  std::string quoted(1, '"');
  quoted.append(key).append(1, '"');
  const std::size_t at = line.find(quoted);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t colon = line.find_first_not_of(" \t", at + quoted.size());
  if (colon == std::string_view::npos || line[colon] != ':') return std::nullopt;
  const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
  if (begin == std::string_view::npos) return std::nullopt;
  return line.substr(begin);
}

/// A string without escapes.
inline std::optional<std::string_view> text_in(std::string_view line, std::string_view key) {
  const auto value = value_of(line, key);
  if (!value || value->front() != '"') return std::nullopt;
  const std::size_t end = value->find('"', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return value->substr(1, end - 1);
}

/// `Number`: std::int64_t, double, ...; empty also if the value does not fit.
template <class Number>
std::optional<Number> number_in(std::string_view line, std::string_view key) {
  const auto value = value_of(line, key);
  Number number{};
  if (!value || std::from_chars(value->data(), value->data() + value->size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}
