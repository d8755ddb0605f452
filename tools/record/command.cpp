#include "record/command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "catalog/catalog.hpp"
#include "config/pattern.hpp"
#include "files/shell_word.hpp"

namespace assay::record {
namespace {

constexpr std::size_t kMaxSuffixes = 4;

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

/// A word without placeholders for this value of this label.
bool has_word(const Question& question, const std::string& label, const std::string& value) {
  const auto says = [&](const SuffixSpec& suffix) {
    const auto at = std::find(suffix.set.begin(), suffix.set.end(), std::pair(label, value));
    return at != suffix.set.end() && suffix.match.find('{') == std::string::npos;
  };
  return std::any_of(question.labels.suffixes.begin(), question.labels.suffixes.end(), says);
}

/// Whether the name parses to these labels, with those it must contain given by its own words.
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

/// Enumerates all `size`-subsets of `count` in order, until `use` returns stop.
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

constexpr std::array<std::string_view, 3> kLater = {"report", "run", "block"};

/// Replaces each {name} in the text by the result of `use`, without rescanning it.
std::string replaced(const std::string& text,
                     const std::function<std::optional<std::string>(const std::string&)>& use) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '{' ? text.find_first_of("{}", at + 1) : std::string::npos;
    const bool names = end != std::string::npos && text[end] == '}' && end > at + 1;
    const auto value = names ? use(text.substr(at + 1, end - at - 1)) : std::nullopt;
    if (value) {
      out += *value;
      at = end + 1;
    } else {
      out += text[at++];
    }
  }
  return out;
}

bool is_later(const std::string& name) { return std::find(kLater.begin(), kLater.end(), name) != kLater.end(); }

class PlaceholderFiller {
 public:
  PlaceholderFiller(const ExperimentSpec& experiment, const Values& values)
      : experiment_(experiment), values_(values) {}

  std::string text(const std::string& text) {
    return replaced(text, [&](const std::string& name) -> std::optional<std::string> {
      if (is_later(name) || (name == kStepsPlaceholder && experiment_.chooses_steps)) return std::nullopt;
      if (name == kWindowsPlaceholder && experiment_.told_windows) return std::to_string(experiment_.windows());
      std::string value = value_of(values_, name);
      if (value.empty())
        complain(fmt::format("'{{{}}}' is used in \"{}\", but label '{}' has no value", name, text, name));
      return value;
    });
  }

  std::vector<std::string> words(const std::vector<std::string>& texts) {
    std::vector<std::string> out;
    for (const std::string& word : texts) {
      if (const ArgumentRule* rule = rule_for(word)) {
        for (const std::string& said : words_of(*rule)) out.push_back(text(said));
      } else {
        out.push_back(text(word));
      }
    }
    return out;
  }

  /// The first problem, as a predicate; empty: none.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  /// Rule of the label that the whole word names.
  [[nodiscard]] const ArgumentRule* rule_for(const std::string& word) const {
    const auto& rules = experiment_.arguments;
    const auto at =
        std::find_if(rules.begin(), rules.end(), [&](const ArgumentRule& r) { return word == "{" + r.label + "}"; });
    return at == rules.end() ? nullptr : &*at;
  }

  /// Empty for a label without a value: the program's own default.
  std::vector<std::string> words_of(const ArgumentRule& rule) {
    const std::string value = value_of(values_, rule.label);
    if (value.empty()) return {};
    for (const std::string& wanted : {value, std::string("*")}) {
      const auto at =
          std::find_if(rule.words.begin(), rule.words.end(), [&](const auto& w) { return w.first == wanted; });
      if (at != rule.words.end()) return at->second;
    }
    complain(fmt::format("[experiment.arguments] {} has no words for the value '{}' and no \"*\"", rule.label, value));
    return {};
  }

  void complain(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  const ExperimentSpec& experiment_;
  const Values& values_;
  std::string problem_;
};

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

/// Words of the profiler in front of the program's.
std::vector<std::string> profiler_words(const ExperimentSpec& experiment, PlaceholderFiller& fill) {
  std::vector<std::string> words = fill.words(experiment.profiler.command);
  append(words, fill.words(experiment.options));
  if (!experiment.profiler.ends_options.empty()) words.push_back(experiment.profiler.ends_options);
  return words;
}

std::vector<std::string> numactl_words(const ExperimentSpec& experiment, PlaceholderFiller& fill) {
  std::vector<std::string> words;
  if (!experiment.bind_cpus.empty()) words.push_back("--cpunodebind=" + fill.text(experiment.bind_cpus));
  if (!experiment.bind_memory.empty()) words.push_back("--membind=" + fill.text(experiment.bind_memory));
  if (!words.empty()) words.insert(words.begin(), "numactl");
  return words;
}

std::vector<const std::string*> all_texts(const ExperimentSpec& e) {
  std::vector<const std::string*> texts = {&e.bind_cpus, &e.bind_memory, &e.gpu};
  for (const auto* words : {&e.command, &e.options, &e.launcher, &e.profiler.command}) {
    for (const std::string& word : *words) texts.push_back(&word);
  }
  for (const auto& [name, value] : e.env) texts.push_back(&value);
  const std::vector<const std::string*> direct = texts;
  for (const ArgumentRule& rule : e.arguments) {
    const auto names = [&](const std::string* text) { return *text == "{" + rule.label + "}"; };
    if (std::none_of(direct.begin(), direct.end(), names)) continue;
    for (const auto& [value, words] : rule.words) {
      for (const std::string& word : words) texts.push_back(&word);
    }
  }
  return texts;
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
  for (const auto& [label, value] : values) text += fmt::format("{}{}={}", text.empty() ? "" : ";", label, value);
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
  for (std::size_t size = 0; size <= std::min(kMaxSuffixes, endings.size()) && found.empty(); ++size) {
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
  return Error{fmt::format("{}no name made of the patterns and suffixes of [labels] gives the labels {} again", where,
                           text_of(values))}
      .at(question.file.string())
      .advise("add a [[labels.suffix]] for the label that is missing, or its value to [experiment.labels].");
}

Result<Command> command_of(const ExperimentSpec& experiment, const Values& values) {
  PlaceholderFiller fill(experiment, values);
  Command command;
  command.folder = experiment.folder;
  const std::vector<std::string> program = fill.words(experiment.command);
  command.words = fill.words(experiment.launcher);
  append(command.words, numactl_words(experiment, fill));
  command.bare = command.words;
  append(command.words, profiler_words(experiment, fill));
  append(command.words, program);
  append(command.bare, program);
  for (const auto& [name, value] : experiment.env) command.env.emplace_back(name, fill.text(value));
  if (!experiment.gpu.empty()) command.env.emplace_back("CUDA_VISIBLE_DEVICES", fill.text(experiment.gpu));
  std::sort(command.env.begin(), command.env.end());
  for (const auto& words : experiment.prepare) command.prepare.push_back(fill.words(words));
  for (const auto& words : experiment.conclude) command.conclude.push_back(fill.words(words));
  command.check = fill.words(experiment.check);
  if (!fill.problem().empty())
    return Error{fmt::format("{}: {} in the run {}", experiment.pos.str(), fill.problem(), text_of(values))}
        .at(experiment.pos.str())
        .advise("give it a value in [experiment.labels], or words in [experiment.arguments].");
  return command;
}

std::set<std::string> labels_in(const ExperimentSpec& experiment) {
  std::set<std::string> names;
  for (const std::string* text : all_texts(experiment)) {
    replaced(*text, [&](const std::string& name) -> std::optional<std::string> {
      names.insert(name);
      return std::nullopt;
    });
  }
  return names;
}

Command placed(Command command, const RunLocation& place) {
  const auto fill = [&](std::string& text) {
    text = replaced(text, [&](const std::string& name) -> std::optional<std::string> {
      if (name == "report") return place.report;
      if (name == "run") return place.run;
      if (name == "block") return std::to_string(place.block);
      if (name == kStepsPlaceholder && place.steps > 0) return std::to_string(place.steps);
      return std::nullopt;
    });
  };
  for (auto* words : {&command.words, &command.bare}) std::for_each(words->begin(), words->end(), fill);
  for (auto& [name, value] : command.env) fill(value);
  for (auto* commands : {&command.prepare, &command.conclude}) {
    for (std::vector<std::string>& words : *commands) std::for_each(words.begin(), words.end(), fill);
  }
  return command;
}

std::string quoted(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shell_word(word, "_-+=:,./@%{}");
  return out;
}

}  // namespace assay::record
