#include "record/duration.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace assay {

Result<double> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 7> kUnits = {
      {{"ms", 0.001}, {"s", 1}, {"sec", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, seconds] : kUnits) {
    const double all = number * seconds;
    if (problem == std::errc() && unit == name && std::isfinite(all) && number >= 0 && all < 1e9) return all;
  }
  return Error{"is '" + std::string(text) + "', which is not a time"}
      .at(std::string(text))
      .advise("write a number and ms, s, min or h, such as \"10 min\"");
}

std::string duration_text(double seconds) {
  std::array<char, 48> text{};
  const long whole = std::lround(seconds);
  if (seconds < 10)
    std::snprintf(text.data(), text.size(), "%.1f s", seconds);
  else if (whole < 100)
    std::snprintf(text.data(), text.size(), "%ld s", whole);
  else if (whole < 100 * 60)
    std::snprintf(text.data(), text.size(), "%ld min", std::lround(seconds / 60));
  else
    std::snprintf(text.data(), text.size(), "%ld h %ld min", whole / 3600, whole % 3600 / 60);
  return text.data();
}

}  // namespace assay
