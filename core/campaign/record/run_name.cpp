#include "record/run_name.hpp"

#include <algorithm>
#include <optional>

#include "catalog/catalog.hpp"
#include "config/pattern.hpp"

namespace assay::record {
namespace {

constexpr std::size_t kMostSuffixes = 4;

const LabelSpec& spec_of(const Question& question, std::string_view label) {
  const auto& labels = question.labels.labels;
  return *std::find_if(labels.begin(), labels.end(), [&](const LabelSpec& l) { return l.name == label; });
}

bool agrees(const std::vector<std::pair<std::string, std::string>>& settings, const Values& values) {
  return std::all_of(settings.begin(), settings.end(),
                     [&](const auto& setting) { return value_of(values, setting.first) == setting.second; });
}

bool is_usable(const SuffixSpec& suffix, const Values& values) {
  return filled(suffix.match, values) && agrees(suffix.set, values) && agrees(suffix.implies, values);
}

/// A word without placeholders that says this value of this label.
bool has_word(const Question& question, const std::string& label, const std::string& value) {
  const auto says = [&](const SuffixSpec& suffix) {
    const auto at = std::find(suffix.set.begin(), suffix.set.end(), std::pair(label, value));
    return at != suffix.set.end() && suffix.match.find('{') == std::string::npos;
  };
  return std::any_of(question.labels.suffixes.begin(), question.labels.suffixes.end(), says);
}

/// Whether the name gives these labels, and by its own words those that it must say itself.
bool gives(const Question& question, const std::string& name, const Values& values,
           const std::vector<std::string>& said) {
  const ParsedName parsed = parse_name(question.labels, name + ".sqlite");
  if (!parsed.problems.empty()) return false;
  Values found;
  for (const LabelOfReport& label : parsed.labels) {
    const LabelSpec& spec = question.labels.labels[label.label];
    found.emplace_back(spec.name, label.text);
    const bool must = std::find(said.begin(), said.end(), spec.name) != said.end();
    if (must && label.origin == LabelOrigin::kDefault) return false;
  }
  std::sort(found.begin(), found.end());
  return std::all_of(question.labels.labels.begin(), question.labels.labels.end(), [&](const LabelSpec& spec) {
    const std::string wanted = value_of(values, spec.name), got = value_of(found, spec.name);
    return wanted == got || (wanted.empty() && spec.descriptive);
  });
}

/// All ways to choose `size` of `count`, in order, until `use` says stop.
template <class Use>
bool any_choice(std::size_t count, std::size_t size, std::vector<std::size_t>& chosen, const Use& use) {
  if (chosen.size() == size) return use(chosen);
  for (std::size_t next = chosen.empty() ? 0 : chosen.back() + 1; next < count; ++next) {
    chosen.push_back(next);
    if (any_choice(count, size, chosen, use)) return true;
    chosen.pop_back();
  }
  return false;
}

bool is_file_name(const std::string& name) {
  const auto fits = [](unsigned char c) { return c > 0x20 && c != 0x7f && c != '/' && c != '\\'; };
  return !name.empty() && name.size() <= 200 && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), fits);
}

}  // namespace

std::string value_of(const Values& values, std::string_view label) {
  const auto at = std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == label; });
  return at == values.end() ? std::string() : at->second;
}

std::optional<std::string> filled(const std::string& text, const Values& values) {
  const Result<Pattern> pattern = parse_pattern(text);
  if (!pattern) return std::nullopt;
  std::string out;
  for (const PatternPart& part : *pattern) {
    const std::string piece = part.placeholder ? value_of(values, part.text) : part.text;
    if (piece.empty()) return std::nullopt;
    out += piece;
  }
  return out;
}

std::string text_of(const Values& values) {
  std::string text;
  for (const auto& [label, value] : values) text += (text.empty() ? "" : ";") + label + "=" + value;
  return text;
}

Result<std::string> run_name(const Question& question, const Values& values, const std::vector<std::string>& named) {
  std::vector<std::string> said;
  for (const std::string& label : named) {
    const std::string value = value_of(values, label);
    if (spec_of(question, label).default_value == value && has_word(question, label, value)) said.push_back(label);
  }
  std::vector<std::string> endings;
  for (const SuffixSpec& suffix : question.labels.suffixes) {
    if (is_usable(suffix, values)) endings.push_back(*filled(suffix.match, values));
  }
  std::string found;
  for (std::size_t size = 0; size <= std::min(kMostSuffixes, endings.size()) && found.empty(); ++size) {
    for (const std::string& pattern : question.labels.patterns) {
      const auto base = filled(pattern, values);
      if (!base) continue;
      std::vector<std::size_t> chosen;
      const bool done = any_choice(endings.size(), size, chosen, [&](const std::vector<std::size_t>& some) {
        std::string name = *base;
        for (const std::size_t e : some) name += endings[e];
        if (!is_file_name(name) || !gives(question, name, values, said)) return false;
        found = name;
        return true;
      });
      if (done) break;
    }
  }
  if (!found.empty()) return found;
  const std::string where = question.file.string() + ": ";
  if (question.labels.patterns.empty()) {
    return Error{where + "[labels] has no patterns, which define how the profiles of [experiment] are named"}
        .at(question.file.string())
        .advise("add patterns = [\"...\"].");
  }
  return Error{where + "no name made of the patterns and suffixes of [labels] gives the labels " + text_of(values) +
               " again"}
      .at(question.file.string())
      .advise("add a [[labels.suffix]] for the label that is missing, or its value to [experiment.labels].");
}

}  // namespace assay::record
