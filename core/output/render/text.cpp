#include "render/text.hpp"

#include <algorithm>
#include <cctype>

#include "files/utf8.hpp"
#include "render/hidden_characters.hpp"

namespace assay {
namespace {

/// The first `columns` code points.
std::string_view head(std::string_view text, std::size_t columns) {
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (!continues_utf8(text[i]) && columns-- == 0) break;
  }
  return text.substr(0, i);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues_utf8(c); }));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  const std::size_t used = display_width(text);
  if (used < width) out.append(width - used, ' ');
  return out;
}

std::string shortened(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  if (used <= width || width < 5) return std::string(text);
  const std::size_t front = (width - 3) / 2, back = width - 3 - front;
  const std::string_view first = head(text, front);
  const std::string_view dropped = head(text, used - back);
  return std::string(first) + "..." + std::string(text.substr(dropped.size()));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(" \n");
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \n", start), text.size());
    const std::string_view word = text.substr(start, end - start);
    const std::size_t columns = display_width(word);
    if (!line.empty() && used + 1 + columns > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    used = line.empty() ? columns : used + 1 + columns;
    if (!line.empty()) line += ' ';
    line.append(word);
    text.remove_prefix(end);
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string one_line(std::string_view text) {
  std::string out = visible(text);
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return out;
}

std::string csv_cell(std::string text) {
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out += '"';
}

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether the ':' at `at` begins ":smile:", unlike in "12:30:15".
bool begins_emoji(std::string_view line, std::size_t at) {
  const std::size_t end = line.find(':', at + 1);
  if (end == std::string_view::npos || end == at + 1) return false;
  const std::string_view name = line.substr(at + 1, end - at - 1);
  const auto in_a_name = [](char c) { return is_word(c) || c == '+' || c == '-'; };
  return std::all_of(name.begin(), name.end(), in_a_name) &&
         !std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether GitHub would turn the text at `at` into a mention, reference, link or picture, so that a comment has to
/// follow the character: a backslash does not prevent replacements in rendered pages.
bool needs_comment_behind(std::string_view line, std::size_t at) {
  const std::string_view rest = line.substr(at);
  const auto follows = [&](auto is_one) { return rest.size() > 1 && is_one(rest[1]); };
  if (rest[0] == '@') return follows(is_word);
  if (rest[0] == '#') return follows([](char c) { return c >= '0' && c <= '9'; });
  if (rest[0] == ':') return rest.starts_with("://") || begins_emoji(line, at);
  if (rest[0] == '-') return at >= 2 && line.substr(at - 2, 2) == "GH";
  return rest[0] == '.' && at >= 3 && (line.substr(at - 3, 3) == "www" || line.substr(at - 3, 3) == "WWW");
}

}  // namespace

std::string markdown(std::string_view text) {
  const std::string line = one_line(text);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool link = line[i] == ']' && i + 1 < line.size() && line[i + 1] == '(';
    if (link || std::string_view("|<>*`\\").find(line[i]) != std::string_view::npos) out += '\\';
    out += line[i] == '$' ? std::string("<span>$</span>") : std::string(1, line[i]);
    if (needs_comment_behind(line, i)) out += "<!-- -->";
  }
  return out;
}

}  // namespace assay
