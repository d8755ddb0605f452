#include "record/command.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "files/shell_word.hpp"

namespace assay::record {
namespace {

constexpr std::array<std::string_view, 3> kLater = {"report", "run", "block"};

/// Calls `use` with the name of each {name} in the text and puts in its place what that gives; nothing leaves it.
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

class Filler {
 public:
  Filler(const ExperimentSpec& experiment, const Values& values) : experiment_(experiment), values_(values) {}

  std::string text(const std::string& text) {
    return replaced(text, [&](const std::string& name) -> std::optional<std::string> {
      if (is_later(name)) return std::nullopt;
      std::string value = value_of(values_, name);
      if (value.empty())
        complain("'{" + name + "}' is used in \"" + text + "\", but label '" + name + "' has no value");
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

  /// The first problem, as the rest of a sentence; empty: none.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  /// The rule of the label that the whole word names.
  [[nodiscard]] const ArgumentRule* rule_for(const std::string& word) const {
    const auto& rules = experiment_.arguments;
    const auto at =
        std::find_if(rules.begin(), rules.end(), [&](const ArgumentRule& r) { return word == "{" + r.label + "}"; });
    return at == rules.end() ? nullptr : &*at;
  }

  /// Nothing for a label without a value: the program's own default.
  std::vector<std::string> words_of(const ArgumentRule& rule) {
    const std::string value = value_of(values_, rule.label);
    if (value.empty()) return {};
    for (const std::string& wanted : {value, std::string("*")}) {
      const auto at =
          std::find_if(rule.words.begin(), rule.words.end(), [&](const auto& w) { return w.first == wanted; });
      if (at != rule.words.end()) return at->second;
    }
    complain("[experiment.arguments] " + rule.label + " has no words for the value '" + value + "' and no \"*\"");
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

/// The words of the profiler that stand before the program's.
std::vector<std::string> profiler_words(const ExperimentSpec& experiment, Filler& fill) {
  std::vector<std::string> words;
  const std::string& name = experiment.profiler.name;
  if (experiment.profiler.own)
    words = fill.words(experiment.profiler.command);
  else if (name == "nsys")
    words = {"nsys", "profile", "-o", "{report}"};
  else if (name == "ncu")
    words = {"ncu", "-o", "{report}"};
  else if (name == "rocprofv3")
    words = {"rocprofv3", "--runtime-trace", "--output-format", "rocpd", "-o", "{report}"};
  append(words, fill.words(experiment.options));
  // Its options take any number of words: --pmc A B.
  if (name == "rocprofv3" && !experiment.profiler.own) words.emplace_back("--");
  return words;
}

std::vector<std::string> numactl_words(const ExperimentSpec& experiment, Filler& fill) {
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

Result<Command> command_of(const ExperimentSpec& experiment, const Values& values) {
  Filler fill(experiment, values);
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
    return Error{experiment.pos.str() + ": " + fill.problem() + " in the run " + text_of(values)}
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

Command placed(Command command, const Place& place) {
  const auto put = [&](std::string& text) {
    text = replaced(text, [&](const std::string& name) -> std::optional<std::string> {
      if (name == "report") return place.report;
      if (name == "run") return place.run;
      if (name == "block") return std::to_string(place.block);
      return std::nullopt;
    });
  };
  for (auto* words : {&command.words, &command.bare}) std::for_each(words->begin(), words->end(), put);
  for (auto& [name, value] : command.env) put(value);
  for (auto* commands : {&command.prepare, &command.conclude}) {
    for (std::vector<std::string>& words : *commands) std::for_each(words.begin(), words.end(), put);
  }
  return command;
}

std::string quoted(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shell_word(word, "_-+=:,./@%{}");
  return out;
}

}  // namespace assay::record
