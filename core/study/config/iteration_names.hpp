// Validates names of iteration ranges: in [iterations] of a question, and in options.
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view kIterationName =
    "a name that repeats, or one with {i} in place of its number, such as \"step_{i}\"";

/// Any placeholder but a single {i} would be taken literally and match nothing.
constexpr bool names_iterations(std::string_view name) {
  const std::size_t brace = name.find_first_of("{}");
  if (brace == std::string_view::npos) return !name.empty();
  return name.size() > 3 && name.substr(brace, 3) == "{i}" && name.find_first_of("{}", brace + 3) == name.npos;
}

}  // namespace assay
