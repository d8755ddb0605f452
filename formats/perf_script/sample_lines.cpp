#include "sample_lines.hpp"

#include <algorithm>

#include "assay/detail/text.hpp"

namespace assay::perf_script {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// Takes the first word off.
std::string_view next_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

/// "198792.736893" in ns.
std::optional<std::int64_t> seconds(std::string_view text) {
  constexpr std::size_t kDigits = 9;
  const std::size_t dot = text.find('.');
  const auto whole = number_in<std::int64_t>(text.substr(0, dot));
  if (dot == std::string_view::npos || !whole || *whole < 0 || *whole > 4'000'000'000 ||
      text.size() - dot - 1 > kDigits)
    return std::nullopt;
  std::int64_t ns = *whole;
  for (std::size_t d = 0; d < kDigits; ++d) {
    const char digit = dot + 1 + d < text.size() ? text[dot + 1 + d] : '0';
    if (!is_digit(digit)) return std::nullopt;
    ns = 10 * ns + (digit - '0');
  }
  return ns;
}

/// Place of the " (" whose parenthesis the last character closes, "f (/a (deleted))"; npos: there is none.
std::size_t last_group(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = text.size(); at-- > 1;) {
    if (text[at] == ')') ++depth;
    if (text[at] == '(' && --depth == 0) return text[at - 1] == ' ' ? at - 1 : std::string_view::npos;
  }
  return std::string_view::npos;
}

/// "9/10": process and thread; "10": a thread.
bool read_ids(std::string_view word, SampleLine& to) {
  const std::size_t slash = word.find('/');
  const auto last = number_in<std::int64_t>(slash == std::string_view::npos ? word : word.substr(slash + 1));
  if (!last || *last < -1) return false;
  to.thread = *last;
  if (slash == std::string_view::npos) return true;
  const auto process = number_in<std::int64_t>(word.substr(0, slash));
  to.process = process.value_or(-1);
  return process.has_value();
}

}  // namespace

std::optional<SampleLine> sample_line(std::string_view line) {
  if (line.empty() || line.front() == ' ' || line.front() == '\t' || line.front() == '#') return std::nullopt;
  SampleLine out;
  // The command may have blanks and digits: it ends before the numbers that a time follows.
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::string_view word = next_word(rest);
    if (word.data() == line.data() || !read_ids(word, out)) continue;
    std::string_view after = rest;
    std::string_view next = next_word(after);
    if (next.starts_with('[')) next = next_word(after);  // the processor
    if (!next.ends_with(':')) continue;
    const auto time = seconds(next.substr(0, next.size() - 1));
    if (!time) continue;
    out.command = trimmed(line.substr(0, static_cast<std::size_t>(word.data() - line.data())));
    out.time = *time;
    out.period = std::max<std::int64_t>(1, number_in<std::int64_t>(next_word(after)).value_or(1));
    return out;
  }
  return std::nullopt;
}

std::optional<FrameLine> frame_line(std::string_view line) {
  if (line.empty() || (line.front() != ' ' && line.front() != '\t')) return std::nullopt;
  std::string_view rest = line;
  const std::string_view address = next_word(rest);
  rest = trimmed(rest);
  const bool hex = !address.empty() && address.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  const std::size_t open = rest.ends_with(')') ? last_group(rest) : std::string_view::npos;
  if (!hex || open == std::string_view::npos) return std::nullopt;
  FrameLine out{rest.substr(0, open), rest.substr(open + 2, rest.size() - open - 3)};
  const std::size_t plus = out.function.rfind("+0x");
  const bool offset = plus != std::string_view::npos && plus > 0 &&
                      out.function.find_first_not_of("0123456789abcdef", plus + 3) == std::string_view::npos;
  if (offset) out.function = out.function.substr(0, plus);
  return out;
}

std::optional<CollapsedLine> collapsed_line(std::string_view line) {
  const std::size_t blank = line.rfind(' ');
  if (blank == std::string_view::npos || blank == 0 || line.front() == ' ' || line.front() == '\t') return std::nullopt;
  const auto count = number_in<std::int64_t>(line.substr(blank + 1));
  if (!count || *count < 0) return std::nullopt;
  return CollapsedLine{line.substr(0, blank), *count};
}

bool is_comment(std::string_view line) { return line.empty() || line.starts_with('#') || line.starts_with("//"); }

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace assay::perf_script
