#include "config/toml_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "config/section.hpp"
#include "files/byte_order_mark.hpp"
#include "files/read_file.hpp"
#include "files/served.hpp"

namespace assay {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse_file(const fs::path& file, const std::string& problem, const std::string& remedy = {}) {
  throw ConfigMistake(Error{file.string() + ": " + problem}.at(file.string()).advise(remedy));
}

std::string read_text(const fs::path& file) {
  if (!files::may_read(file)) refuse_file(file, "is not below the folders that may be read here", "name another file.");
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status)) refuse_file(file, "no such file", "check the path.");
  if (fs::is_directory(status)) refuse_file(file, "is a folder", "give the TOML files in it by name.");
  constexpr std::uint64_t kLargest = 16U << 20;
  Result<std::string> text = files::read_file(file, kLargest, files::NamedBy::kFolder);
  if (!text) refuse_file(file, text.error().sentence, "expected a TOML file.");
  return std::move(*text);
}

/// Position after the quoted text that begins at `at`; if it does not end, the end of its line or of the text.
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

/// Refuses, outside of quotes and comments, what toml++ cannot handle: a non-ASCII character (undefined behaviour in
/// the white-space test of 3.3), and a key with so many parts that destroying the nested tables, by recursion,
/// overflows the stack.
void check_bare_text(const fs::path& file, std::string_view text) {
  constexpr std::size_t kMaxDots = 31;
  const auto refuse_at = [&](std::size_t at, const std::string& problem, const std::string& remedy) {
    const std::string_view before = text.substr(0, at);
    const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is 0
    refuse({file.string(), static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n')),
            static_cast<std::uint32_t>(1 + at - line)},
           problem, remedy);
  };
  std::size_t dots = 0;  // of one key
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '"' || text[at] == '\'') {
      at = behind_quotes(text, at);
    } else if (static_cast<unsigned char>(text[at]) >= 0x80) {
      refuse_at(at, "this is not valid TOML: a character that is not ASCII is outside of quotes",
                "put quotes around it.");
    } else {
      if (std::string_view("=,\n[]{}").find(text[at]) != std::string_view::npos) dots = 0;
      if (text[at] == '.' && ++dots > kMaxDots)
        refuse_at(at, fmt::format("a key has more than {} parts", kMaxDots + 1),
                  "no section of a question is that deep.");
      ++at;
    }
  }
}

std::string_view line_of(std::string_view text, std::uint32_t line) {
  for (std::uint32_t at = 1; at < line; ++at) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  text = text.substr(0, text.find_first_of("\r\n"));
  return text;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_./+-").find(c) != std::string_view::npos;
}

/// The first bare word used as a value in a line, "int" in { type = int } or "bf16" in ["fp16", bf16]; empty: none. The
/// parser takes it for a number or date and reports the letter it expected.
std::string_view bare_word(std::string_view line) {
  const bool assigns = line.find('=') != std::string_view::npos;
  bool value = !assigns && line.find(',') != std::string_view::npos;  // inside a list
  const bool header = !assigns && !value && line.substr(0, line.find('[') + 1).find_first_not_of(" \t[") == line.npos;
  if (header) return {};
  for (std::size_t at = 0; at < line.size() && line[at] != '#';) {
    const char c = line[at];
    if (c == '"' || c == '\'') {
      at = behind_quotes(line, at);
      value = false;
    } else if (std::isalpha(static_cast<unsigned char>(c)) == 0) {
      if (c != ' ' && c != '\t') value = c == '=' || c == '[' || c == ',';
      ++at;
    } else {
      std::size_t end = at;
      while (end < line.size() && is_word(line[end])) ++end;
      const std::string_view word = line.substr(at, end - at);
      const std::size_t next = line.find_first_not_of(" \t", end);
      const bool ends = next == std::string_view::npos || std::string_view(",]}#").find(line[next]) != line.npos;
      if (value && ends && word != "true" && word != "false" && word != "inf" && word != "nan") return word;
      value = false;
      at = end;
    }
  }
  return {};
}

/// The closed form of an unclosed section header, "[[claim]]" for "[[claim] # first"; empty: not one.
std::string closed_header(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::size_t brackets = line.starts_with("[[") ? 2 : line.starts_with("[") ? 1 : 0;
  if (brackets == 0 || line.find_first_of("=,") != std::string_view::npos) return {};
  std::size_t end = brackets;
  while (end < line.size() && is_word(line[end])) ++end;
  const std::string closing(brackets, ']');
  if (end == brackets || line.substr(end).starts_with(closing)) return {};
  return std::string(line.substr(0, end)) + closing;
}

/// What is wrong with a line that does not parse, and what to write instead; else the parser's message. `column`
/// becomes that of the unquoted word, or of the missing bracket.
std::string problem_of(std::string_view line, std::string_view parser, std::uint32_t& column) {
  constexpr std::string_view kTwice = "cannot redefine existing ";
  if (const std::size_t at = parser.find(kTwice); at != std::string_view::npos)
    return "the " + std::string(parser.substr(at + kTwice.size())) + " is written twice; merge the two.";
  if (const std::string header = closed_header(line); !header.empty()) {
    const std::string_view open = std::string_view(header).substr(0, header.find(']'));
    column = static_cast<std::uint32_t>(line.find(open) + open.size() + 1);
    return "a section header has no closing bracket; write " + header + ".";
  }
  if (const std::string_view word = bare_word(line); !word.empty()) {
    column = static_cast<std::uint32_t>(word.data() - line.data() + 1);
    return fmt::format("the text {} has no quotes; put quotes around it: \"{}\".", std::string(word),
                       std::string(word));
  }
  return "this is not valid TOML: " + std::string(parser) + ".";
}

/// Why a file is not TOML at all, by its first bytes; empty: it may be.
std::string other_kind(std::string_view bytes) {
  constexpr std::string_view kSqlite = "SQLite format 3", kGzip = "\x1f\x8b";
  constexpr std::size_t kLooked = 4096;
  const std::string look = "; 'assay look' shows a profile, and 'assay init' writes a question about a folder of them.";
  if (bytes.starts_with(kSqlite)) return "is an SQLite database, not a TOML file" + look;
  if (bytes.starts_with(kGzip)) return "is a gzip archive, not a TOML file" + look;
  if (bytes.substr(0, kLooked).find('\0') != std::string_view::npos) return "is a binary file, not a TOML file" + look;
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && bytes[first] == '{') return "is a JSON file, not a TOML file" + look;
  return {};
}

}  // namespace

toml::table parse_toml(const fs::path& file) { return parse_toml_text(read_text(file), file); }

toml::table parse_toml_text(std::string_view bytes, const fs::path& file) {
  const std::string_view text = without_byte_order_mark(bytes);
  if (const std::string other = other_kind(text); !other.empty()) refuse_file(file, other);
  check_bare_text(file, text);
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& e) {
    const std::uint32_t line = e.source().begin.line;
    std::uint32_t column = e.source().begin.column;
    const std::string problem = problem_of(line_of(text, line), e.description(), column);
    refuse({file.string(), line, column}, problem);
  } catch (const UnexpectedToml& e) {
    refuse_file(file, "this is not valid TOML: " + std::string(e.what()) + ".");
  }
}

}  // namespace assay
