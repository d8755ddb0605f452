// Patterns against names, and globs against paths. The first line is a pattern and a glob, the second a list of values
// and the third a name.
#include <cstdlib>
#include <string_view>

#include "catalog/catalog.hpp"
#include "catalog/name_match.hpp"
#include "config/pattern.hpp"
#include "files/glob.hpp"

namespace assay::fuzz_of_name {

std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return line;
}

/// A label for every placeholder, one type after the other; those of text have the values.
std::vector<LabelSpec> labels_of(const Pattern& pattern, const std::vector<std::string>& values) {
  std::vector<LabelSpec> labels;
  for (const PatternPart& part : pattern) {
    const auto same = [&](const LabelSpec& label) { return label.name == part.text; };
    if (!part.placeholder || std::any_of(labels.begin(), labels.end(), same)) continue;
    LabelSpec& label = labels.emplace_back();
    label.name = part.text;
    label.type = static_cast<LabelType>(labels.size() % 3);
    if (label.type == LabelType::kText) label.values = values;
  }
  return labels;
}

void check_matches(const Pattern& pattern, const std::vector<LabelSpec>& labels, std::string_view name) {
  for (std::size_t begin = 0; begin <= name.size(); ++begin) {
    for (const PatternMatch& match : matches_at(pattern, labels, name, begin)) {
      if (match.end < begin || match.end > name.size()) std::abort();
      for (const auto& [label, text] : match.found) {
        if (label >= labels.size() || text.data() < name.data() || text.data() + text.size() > name.data() + match.end)
          std::abort();
      }
    }
  }
}

extern "C" int name_fuzz(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view pattern_text = next_line(rest);
  std::vector<std::string> values;
  for (std::string_view list = next_line(rest); !list.empty();) {
    values.emplace_back(list.substr(0, list.find(',')));
    list.remove_prefix(std::min(list.size(), values.back().size() + 1));
  }
  static_cast<void>(glob_matches(pattern_text, rest));
  const Result<Pattern> pattern = parse_pattern(pattern_text);
  if (!pattern) return 0;
  LabelRules rules;
  rules.patterns.emplace_back(pattern_text);
  rules.labels = labels_of(*pattern, values);
  check_matches(*pattern, rules.labels, rest);
  static_cast<void>(parse_name(rules, rest));
  return 0;
}

}  // namespace assay::fuzz_of_name
