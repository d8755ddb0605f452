// "a, b, c and 4 more": a list of names in a sentence, of bounded length.
#pragma once

#include <string>
#include <vector>

namespace assay {

inline std::string some_of(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

}  // namespace assay
