// Quotes words so that a shell reads them back unchanged.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// In single quotes, whatever it contains: 'it'\''s'.
inline std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out += '\'';
}

/// The text itself if it consists of letters, digits and characters of `plain`, else quoted.
inline std::string shell_word(std::string_view text, std::string_view plain = "._-/+,:=@%") {
  constexpr std::string_view kAlways = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  bool bare = !text.empty();
  for (const char c : text)
    bare = bare && (kAlways.find(c) != std::string_view::npos || plain.find(c) != std::string_view::npos);
  return bare ? std::string(text) : single_quoted(text);
}

}  // namespace assay
