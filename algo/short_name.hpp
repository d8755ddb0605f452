// Shortens foreign names in sentences: a mangled kernel or a hostile range name may have thousands of characters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace assay {

/// The first bytes of a name, in whole UTF-8 characters, followed by "..." if it was shortened.
inline std::string short_name(std::string_view name, std::size_t most = 48) {
  if (name.size() <= most) return std::string(name);
  while (most > 0 && (static_cast<unsigned char>(name[most]) & 0xC0U) == 0x80U) --most;
  return std::string(name.substr(0, most)) + "...";
}

/// A sentence with stretches without blanks, and names in quotes ('x'), shortened to 300 bytes.
inline std::string with_short_names(std::string_view sentence) {
  constexpr std::size_t kMax = 300;
  if (sentence.size() <= kMax) return std::string(sentence);
  const auto is_edge = [&](std::size_t at) {
    return at >= sentence.size() || std::string_view(" \n,;:.()").find(sentence[at]) != std::string_view::npos;
  };
  std::string out;
  for (std::size_t at = 0; at < sentence.size();) {
    if (sentence[at] == '\'' && (at == 0 || is_edge(at - 1))) {
      std::size_t close = sentence.find('\'', at + 1);
      while (close != std::string_view::npos && !is_edge(close + 1)) close = sentence.find('\'', close + 1);
      if (close != std::string_view::npos) {
        out.append("'").append(short_name(sentence.substr(at + 1, close - at - 1), kMax)).append("'");
        at = close + 1;
        continue;
      }
    }
    const std::size_t end = std::min(sentence.find_first_of(" \n'", at + 1), sentence.size());
    out += short_name(sentence.substr(at, end - at), kMax);
    at = end;
  }
  return out;
}

}  // namespace assay
