// ASCII letters in lower case; bytes beyond ASCII stay as they are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace assay {

inline std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

}  // namespace assay
