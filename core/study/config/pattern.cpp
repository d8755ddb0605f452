#include "config/pattern.hpp"

#include <algorithm>

namespace assay {
namespace {

Result<Pattern> wrong(std::string what) { return Error{std::move(what)}; }

}  // namespace

Result<Pattern> parse_pattern(std::string_view text) {
  Pattern pattern;
  while (!text.empty()) {
    const std::size_t brace = text.find_first_of("{}");
    if (brace != 0) {
      pattern.push_back({false, std::string(text.substr(0, brace))});
      text.remove_prefix(std::min(brace, text.size()));
      continue;
    }
    const std::size_t close = text.find_first_of("{}", 1);
    if (text[0] == '}') return wrong("has a '}' without a '{' before it");
    if (close == std::string_view::npos || text[close] == '{') return wrong("has a '{' without its '}'");
    if (close == 1) return wrong("has empty braces; put the name of a label between them");
    if (!pattern.empty() && pattern.back().placeholder) {
      return wrong("has two adjacent placeholders, so it is ambiguous where the first one ends");
    }
    pattern.push_back({true, std::string(text.substr(1, close - 1))});
    text.remove_prefix(close + 1);
  }
  if (pattern.empty()) return wrong("is empty");
  return pattern;
}

}  // namespace assay
