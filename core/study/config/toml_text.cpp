#include "config/toml_text.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

#include "config/section.hpp"
#include "files/byte_order_mark.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse_file(const fs::path& file, const std::string& problem) {
  throw ConfigMistake(file.string() + ": " + problem);
}

std::string read_text(const fs::path& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status)) refuse_file(file, "no such file; check the path.");
  if (fs::is_directory(status)) refuse_file(file, "is a folder; give the TOML files in it by name.");
  if (!fs::is_regular_file(status)) refuse_file(file, "is not a regular file; expected a TOML file.");
  constexpr std::uintmax_t kLargest = 16U << 20;
  if (fs::file_size(file, failed) > kLargest) refuse_file(file, "has more than 16 MiB; expected a TOML file.");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) refuse_file(file, "cannot be read; allow reading it.");
  return std::move(text).str();
}

/// The byte behind the text in quotes that begins at `at`; where it does not end, the end of its line or of everything.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool is_long = text.substr(at, 3) == three;
  for (at += is_long ? 3 : 1; at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (is_long && text.substr(at, 3) == three) {
      return std::min(text.find_first_not_of(quote, at), text.size());
    } else if (!is_long && (text[at] == quote || text[at] == '\n')) {
      return at + 1;
    }
  }
  return text.size();
}

/// Refuses what is not ASCII outside of quotes and comments. TOML allows none there, and toml++ 3.3 runs into undefined
/// behaviour when it looks whether such a character is a space.
void check_bare_text(const fs::path& file, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '"' || text[at] == '\'') {
      at = behind_quotes(text, at);
    } else if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
    } else {
      const std::string_view before = text.substr(0, at);
      const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is 0
      refuse({file.string(), static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n')),
              static_cast<std::uint32_t>(1 + at - line)},
             "this is not valid TOML: a character that is not ASCII stands outside of quotes; put quotes around it.");
    }
  }
}

/// A text without quotes is what the parser takes for a number: it expects 'inf' and sees 'int'.
std::string bare_word_hint(std::string_view text, std::uint32_t line) {
  for (std::uint32_t at = 1; at < line; ++at) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  text = text.substr(0, text.find('\n'));
  const std::size_t equals = text.find('=');
  const std::size_t begin = equals == std::string_view::npos ? equals : text.find_first_not_of(" \t", equals + 1);
  if (begin == std::string_view::npos || std::isalpha(static_cast<unsigned char>(text[begin])) == 0) return {};
  const std::string word(text.substr(begin, text.find_first_of(" \t\r#,]}", begin) - begin));
  return word == "true" || word == "false" ? "" : " Put quotes around a text: \"" + word + "\".";
}

}  // namespace

toml::table parse_toml(const fs::path& file) {
  const std::string bytes = read_text(file);
  const std::string_view text = without_byte_order_mark(bytes);
  check_bare_text(file, text);
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& e) {
    refuse(
        {file.string(), e.source().begin.line, e.source().begin.column},
        "this is not valid TOML: " + std::string(e.description()) + "." + bare_word_hint(text, e.source().begin.line));
  } catch (const UnexpectedToml& e) {
    refuse_file(file, "this is not valid TOML: " + std::string(e.what()) + ".");
  }
}

}  // namespace assay
