// Words of a command line as a shell reads them back.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// 'it'\''s': in single quotes, whatever it holds.
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

/// The text itself where it holds letters, digits and characters of `plain` alone, else in quotes.
inline std::string shell_word(std::string_view text, std::string_view plain = "._-/+,:=@%") {
  constexpr std::string_view kAlways = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  bool bare = !text.empty();
  for (const char c : text)
    bare = bare && (kAlways.find(c) != std::string_view::npos || plain.find(c) != std::string_view::npos);
  return bare ? std::string(text) : single_quoted(text);
}

}  // namespace assay
