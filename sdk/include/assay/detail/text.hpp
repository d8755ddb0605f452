// Digits, numbers and articles in texts, whatever the locale.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number that is the whole text, within the range of `Number`; empty for any other text.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// "a step", "an inference".
inline std::string with_article(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeiouAEIOU").find(noun.front()) != std::string_view::npos;
  return std::string(vowel ? "an " : "a ").append(noun);
}

}  // namespace assay
