#include "assay/algo/kernel_classes.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "assay/words.hpp"

namespace assay {

NameRules::NameRules(std::span<const Str> rules) {
  for (const Str& rule : rules) rules_.push_back(read(rule.view()));
  for (const Rule& rule : rules_) {
    if (std::find(classes_.begin(), classes_.end(), rule.name) == classes_.end()) classes_.push_back(rule.name);
  }
}

std::string_view NameRules::class_of(std::string_view name, ComputeCapability device) const {
  const std::string text = lower_case(name);
  for (const Rule& rule : rules_) {
    if (device < rule.least) continue;
    const auto holds = [&](const Alternative& words) {
      return std::all_of(words.begin(), words.end(), [&](const Word& w) { return occurs(text, w) != w.absent; });
    };
    if (std::any_of(rule.alternatives.begin(), rule.alternatives.end(), holds)) return rule.name;
  }
  return kUnknownClass;
}

bool NameRules::occurs(std::string_view text, const Word& word) {
  const auto joins = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  for (std::size_t at = text.find(word.text); at != std::string_view::npos; at = text.find(word.text, at + 1)) {
    if (!word.begins || at == 0 || !joins(text[at - 1])) return true;
  }
  return false;
}

void NameRules::require(bool holds, std::string_view rule, std::string_view problem) {
  if (holds) return;
  throw std::invalid_argument(
      filled("the rule '{}' {}; write it as 'class: word | word & !word'", {std::string(rule), std::string(problem)}));
}

ComputeCapability NameRules::capability(std::string_view text, std::string_view rule) {
  ComputeCapability out;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, out.major);
  require(major.ec == std::errc() && major.ptr != end && *major.ptr == '.', rule,
          "needs a compute capability like 9.0 after '@'");
  const auto minor = std::from_chars(major.ptr + 1, end, out.minor);
  require(minor.ec == std::errc() && minor.ptr == end, rule, "needs a compute capability like 9.0 after '@'");
  return out;
}

NameRules::Rule NameRules::read(std::string_view text) {
  const std::size_t colon = text.find(':');
  require(colon != std::string_view::npos, text, "has no ':' after its class");
  const std::string_view head = without_spaces(text.substr(0, colon));
  const std::size_t at = head.find('@');
  Rule rule;
  rule.name = without_spaces(head.substr(0, at));
  require(!rule.name.empty(), text, "names no class");
  require(rule.name != kUnknownClass, text,
          "gives the class 'unknown', which is reserved for names that match no rule");
  if (at != std::string_view::npos) rule.least = capability(without_spaces(head.substr(at + 1)), text);
  each_part(text.substr(colon + 1), '|', [&](std::string_view part) {
    Alternative words;
    each_part(part, '&', [&](std::string_view word) {
      const bool absent = word.starts_with('!');
      std::string_view wanted = without_spaces(absent ? word.substr(1) : word);
      const bool begins = wanted.starts_with('^');
      if (begins) wanted = without_spaces(wanted.substr(1));
      require(!wanted.empty(), text, "has an empty word");
      words.push_back({lower_case(wanted), absent, begins});
    });
    rule.alternatives.push_back(std::move(words));
  });
  return rule;
}

NameRules kernel_rules_of(const Options& options) {
  std::vector<Str> all;
  for (const std::string_view option : {"own_rules", "rules"}) {
    const std::span<const Str> texts = options.texts(option);
    all.insert(all.end(), texts.begin(), texts.end());
  }
  return NameRules(all);
}

NameRules kernel_rules_of(const Options& options, std::initializer_list<std::string_view> class_options) {
  NameRules rules = kernel_rules_of(options);
  if (rules.empty()) {
    throw std::invalid_argument(
        "'rules' is empty, so no kernel has a class; take them over by from = \"data/kernel_classes.toml\"");
  }
  const auto known = rules.classes();
  const auto require = [&](std::string_view option, std::string_view name) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    throw std::invalid_argument(filled("'{}' names '{}', a class that no rule has; name one of the rules' classes",
                                       {std::string(option), std::string(name)}));
  };
  for (const std::string_view option : class_options) {
    const OptionValue* value = options.find(option);
    if (value != nullptr && value->type == OptionType::kTextList) {
      for (const Str& name : value->texts) require(option, name);
    } else {
      require(option, options.text(option));
    }
  }
  return rules;
}

}  // namespace assay
