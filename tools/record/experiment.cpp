#include "record/experiment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "config/label_value.hpp"
#include "config/other_sections.hpp"
#include "config/section.hpp"
#include "config/toml_text.hpp"
#include "files/did_you_mean.hpp"
#include "load/format.hpp"
#include "record/duration.hpp"

namespace assay {

const LabelSpec* declared(const Question& question, std::string_view name) {
  const auto at = std::ranges::find(question.labels.labels, name, &LabelSpec::name);
  return at == question.labels.labels.end() ? nullptr : &*at;
}

namespace {

/// Value of `profiler` for recording nothing.
constexpr std::string_view kNoProfiler = "none";
constexpr std::array<std::string_view, 5> kOwnPlaceholders = {"report", "run", "block", kStepsPlaceholder,
                                                              kWindowsPlaceholder};

std::vector<std::string> known_names(const Question& question) {
  std::vector<std::string> names(kOwnPlaceholders.begin(), kOwnPlaceholders.end());
  for (const LabelSpec& label : question.labels.labels) names.push_back(label.name);
  return names;
}

/// Refuses placeholders other than labels, {report}, {run} and {block}. A lone "{}" and "{{" belong to the program's
/// own text.
void check_text(const Question& question, const std::string& text, const SourcePos& pos, const std::string& what) {
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find_first_of("{}", at + 1);
    if (end == std::string::npos || text[end] != '}' || end == at + 1) continue;
    const std::string name = text.substr(at + 1, end - at - 1);
    const bool own = std::find(kOwnPlaceholders.begin(), kOwnPlaceholders.end(), name) != kOwnPlaceholders.end();
    if (own || declared(question, name) != nullptr) continue;
    const std::string guess = did_you_mean(name, known_names(question));
    const std::string problem =
        fmt::format("{} has the placeholder '{{{}}}', which is not a declared label", what, name);
    if (!guess.empty()) refuse(pos, problem + ".", {}, guess);
    refuse(pos, problem + " and none of {report}, {run}, {block}, {steps}, {windows}", "declare it in [labels].");
  }
}

std::vector<std::string> words_of(const Question& question, Section& section, std::string_view key) {
  std::vector<std::string> words = section.texts(key);
  for (const std::string& word : words)
    check_text(question, word, section.pos(key), section.title() + " " + std::string(key));
  return words;
}

std::string text_of(const Question& question, Section& section, std::string_view key) {
  std::string text = section.text(key).value_or("");
  check_text(question, text, section.pos(key), section.title() + " " + std::string(key));
  return text;
}

std::size_t count_of(Section& section, std::string_view key, std::size_t usual, std::size_t least) {
  constexpr std::int64_t kMax = 100000;
  const toml::node* node = section.find(key);
  if (node == nullptr) return usual;
  const auto* number = node->as_integer();
  if (number == nullptr || number->get() < static_cast<std::int64_t>(least) || number->get() > kMax) {
    refuse(section.pos(key),
           fmt::format("{} {} is not a whole number from {} to {}.", section.title(), std::string(key), least, kMax));
  }
  return static_cast<std::size_t>(number->get());
}

double duration_of(Section& section, std::string_view key, double usual) {
  const auto text = section.text(key);
  if (!text) return usual;
  const Result<double> seconds = parse_duration(*text);
  if (!seconds)
    refuse_value(section.pos(key), fmt::format("{} {} ", section.title(), std::string(key)), seconds.error());
  return *seconds;
}

CooldownSpec read_cooldown(Section& section) {
  CooldownSpec cooldown;
  const toml::node* node = section.find("cooldown");
  if (node == nullptr || !node->is_table()) {
    cooldown.seconds = duration_of(section, "cooldown", 0);
    return cooldown;
  }
  Section table = *section.table("cooldown");
  const std::string within = table.required_text("within");
  char* end = nullptr;
  const double celsius = std::strtod(within.c_str(), &end);
  if (end == within.c_str() || (std::string_view(end) != " C" && std::string_view(end) != "C") || celsius < 0) {
    refuse(table.pos("within"), "[cooldown] within is '" + within + "'", "expected degrees, such as \"3 C\".");
  }
  cooldown.within_celsius = celsius;
  cooldown.most_seconds = duration_of(table, "most", cooldown.most_seconds);
  table.finish();
  return cooldown;
}

ProfilerSpec own_profiler(const Question& question, Section table) {
  ProfilerSpec profiler;
  static_cast<void>(table.required_text("name"));  // for readers of the question
  profiler.command = words_of(question, table, "command");
  profiler.version = table.texts("version");
  profiler.install = table.text("install").value_or("");
  if (profiler.command.empty()) {
    refuse(table.pos("command"), "[experiment] profiler has no command",
           "add command = [\"program\", \"-o\", \"{report}\"].");
  }
  table.finish();
  return profiler;
}

ProfilerSpec profiler_by(const RecorderSpec& recorder) {
  ProfilerSpec profiler;
  for (const Str word : recorder.command) profiler.command.emplace_back(word.view());
  if (!profiler.command.empty()) profiler.version = {profiler.command.front(), "--version"};
  profiler.ends_options = recorder.ends_options.view();
  profiler.install = recorder.install.view();
  profiler.numbered_ending = recorder.numbered_ending.view();
  return profiler;
}

/// Default: the first program that records a format.
ProfilerSpec read_profiler(const Question& question, Section& section) {
  const toml::node* node = section.find("profiler");
  if (node != nullptr && node->is_table()) return own_profiler(question, *section.table("profiler"));
  const std::optional<std::string> name = section.text("profiler");
  ProfilerSpec none;
  none.leaves_report = false;
  if (name == kNoProfiler) return none;
  std::vector<std::string> known;
  std::string expected;
  for (const RecorderSpec* recorder : load::recorders()) {
    if (name ? recorder->name.view() == *name : !recorder->command.empty()) return profiler_by(*recorder);
    expected += "\"" + known.emplace_back(recorder->name.view()) + "\", ";
  }
  known.emplace_back(kNoProfiler);
  refuse(section.pos("profiler"), "[experiment] profiler is " + (name ? "'" + *name + "'" : "missing"),
         fmt::format("expected {}\"{}\" or a table with a command.", expected, known.back()),
         name ? did_you_mean(*name, known) : "");
}

/// Commands as word lists: [["sync"], ["rm", "-f", "x"]].
std::vector<std::vector<std::string>> read_commands(const Question& question, Section& section, std::string_view key) {
  std::vector<std::vector<std::string>> commands;
  const toml::node* node = section.find(key);
  if (node == nullptr) return commands;
  const std::string what = section.title() + " " + std::string(key);
  const std::string expected = what + " expects a list of commands, each a list of words, such as [[\"sync\"]].";
  const toml::array* list = node->as_array();
  if (list == nullptr) refuse(section.pos(key), expected);
  for (const toml::node& element : *list) {
    const toml::array* words = element.as_array();
    if (words == nullptr || words->empty()) refuse(section.pos(key), expected);
    std::vector<std::string>& command = commands.emplace_back();
    for (const toml::node& word : *words) {
      if (!word.is_string()) refuse(section.pos(key), expected);
      command.push_back(word.as_string()->get());
      check_text(question, command.back(), section.pos(key), what);
    }
  }
  return commands;
}

std::vector<std::pair<std::string, std::string>> read_env(const Question& question, Section& section) {
  std::vector<std::pair<std::string, std::string>> env;
  auto table = section.table("env");
  if (!table) return env;
  for (const Section::Entry& entry : table->rest()) {
    const std::string what = "[experiment] env " + entry.key;
    env.emplace_back(entry.key, label_text(*entry.node, entry.pos, what));
    check_text(question, env.back().second, entry.pos, what);
    if (entry.key.empty() || entry.key.find('=') != std::string::npos)
      refuse(entry.pos, what + " is not the name of an environment variable.");
  }
  return env;
}

std::vector<std::pair<std::string, bool>> read_caches(Section& section) {
  std::vector<std::pair<std::string, bool>> caches;
  auto table = section.table("caches");
  if (!table) return caches;
  for (const Section::Entry& entry : table->rest()) {
    const auto* word = entry.node->as_string();
    if (word == nullptr || (word->get() != "cold" && word->get() != "warm")) {
      refuse(entry.pos, "[experiment] caches " + entry.key +
                            " expects \"cold\" (a fresh folder for each run) or \"warm\" (one for each cell).");
    }
    caches.emplace_back(entry.key, word->get() == "cold");
  }
  return caches;
}

std::string checked_label(const Question& question, const Section::Entry& entry, const std::string& what) {
  if (declared(question, entry.key) != nullptr) return entry.key;
  const std::string guess = did_you_mean(entry.key, known_names(question));
  const std::string problem = fmt::format("{} names '{}', which is not a declared label", what, entry.key);
  if (!guess.empty()) refuse(entry.pos, problem + ".", {}, guess);
  refuse(entry.pos, problem, "declare it in [labels].");
}

std::vector<std::pair<std::string, std::string>> read_fill(const Question& question, Section& section) {
  std::vector<std::pair<std::string, std::string>> fill;
  auto table = section.table("labels");
  if (!table) return fill;
  for (const Section::Entry& entry : table->rest()) {
    const std::string what = "[experiment.labels]";
    const std::string name = checked_label(question, entry, what);
    const std::string text = label_text(*entry.node, entry.pos, what + " " + name);
    const Result<ParsedLabel> value = read_label_value(*declared(question, name), text);
    if (!value)
      refuse_value(entry.pos, fmt::format("{} gives '{}' the value '{}', which ", what, name, text), value.error());
    fill.emplace_back(name, value->text);
  }
  return fill;
}

std::vector<std::string> argument_words(const toml::node& node, const SourcePos& pos, const std::string& what) {
  if (const auto* text = node.as_string()) return {text->get()};
  const toml::array* list = node.as_array();
  const auto is_text = [](const toml::node& n) { return n.is_string(); };
  if (list == nullptr || !std::all_of(list->begin(), list->end(), is_text))
    refuse(pos, what + " expects a text or a list of texts, such as [\"--mode\", \"fast\"].");
  std::vector<std::string> words;
  for (const toml::node& word : *list) words.push_back(word.as_string()->get());
  return words;
}

std::vector<ArgumentRule> read_arguments(const Question& question, Section& section) {
  std::vector<ArgumentRule> rules;
  auto table = section.table("arguments");
  if (!table) return rules;
  for (const Section::Entry& entry : table->rest()) {
    ArgumentRule rule;
    rule.pos = entry.pos;
    rule.label = checked_label(question, entry, "[experiment.arguments]");
    const std::string what = "[experiment.arguments] " + entry.key;
    const toml::table* values = entry.node->as_table();
    if (values == nullptr)
      refuse(entry.pos, what + " is " + std::string(kind_of(*entry.node)), "expected { value = [\"--word\"] }.");
    Section words(*values, what, entry.pos);
    for (const Section::Entry& value : words.rest()) {
      rule.words.emplace_back(value.key, argument_words(*value.node, value.pos, what + " " + value.key));
      for (const std::string& word : rule.words.back().second) check_text(question, word, value.pos, what);
      if (value.key == "*") continue;
      const Result<ParsedLabel> known = read_label_value(*declared(question, rule.label), value.key);
      if (!known) refuse_value(value.pos, fmt::format("{} has the value '{}', which ", what, value.key), known.error());
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<std::string> read_reject(Section& section) {
  std::vector<std::string> reject = section.texts("reject");
  for (const std::string& word : reject) {
    if (word != "throttled" && word != "shared_gpu") {
      refuse(section.pos("reject"), "[experiment] reject holds '" + word + "'",
             "expected \"throttled\" or \"shared_gpu\".");
    }
  }
  return reject;
}

void read_order(Section& section, ExperimentSpec& experiment) {
  const std::string order = section.text("order").value_or("blocks");
  if (order != "blocks" && order != "sequential")
    refuse(section.pos("order"), "[experiment] order is '" + order + "'", "expected \"blocks\" or \"sequential\".");
  experiment.random_order = order == "blocks";
  experiment.seed = count_of(section, "seed", 1, 0);
}

/// Whether a word of the program's command holds the placeholder.
bool has(const ExperimentSpec& experiment, std::string_view name) {
  const std::string placeholder = "{" + std::string(name) + "}";
  const auto holds = [&](const std::string& word) { return word.find(placeholder) != std::string::npos; };
  const auto any = [&](const std::vector<std::string>& words) { return std::ranges::any_of(words, holds); };
  const auto in_rule = [&](const ArgumentRule& rule) {
    return std::ranges::any_of(rule.words, [&](const auto& words) { return any(words.second); });
  };
  return any(experiment.command) || any(experiment.options) || any(experiment.profiler.command) ||
         std::ranges::any_of(experiment.arguments, in_rule) ||
         std::ranges::any_of(experiment.env, [&](const auto& variable) { return holds(variable.second); });
}

/// `steps = "{steps}"`; for a question that declares a label of that name the placeholder is the label.
bool read_steps(const Question& question, Section& section, const ExperimentSpec& experiment) {
  const std::optional<std::string> given = section.text("steps");
  const bool label = declared(question, kStepsPlaceholder) != nullptr, used = has(experiment, kStepsPlaceholder);
  if (!given && (label || !used)) return false;
  if (!given)
    refuse(section.pos("command"), "[experiment] has the placeholder '{steps}' without steps = \"{steps}\"",
           "add that, so that a pilot run chooses the number of steps.");
  if (*given != "{steps}")
    refuse(section.pos("steps"), "[experiment] steps is '" + *given + "'",
           "expected \"{steps}\", which stands in a word of the command.");
  if (label) refuse(section.pos("steps"), "[experiment] steps: '{steps}' is the label 'steps'", "rename the label.");
  if (!used)
    refuse(section.pos("steps"), "[experiment] steps is given, but no word of the command holds '{steps}'",
           "add it where the program takes the number of steps, such as \"--steps\", \"{steps}\".");
  return true;
}

/// `windows = N`, which the program or its profiler is told by `{windows}`.
std::optional<std::size_t> read_windows(const Question& question, Section& section, const ExperimentSpec& experiment) {
  const bool given = section.find("windows") != nullptr, used = has(experiment, kWindowsPlaceholder);
  const std::size_t windows = count_of(section, "windows", 1, 1);
  if (!given && (!used || declared(question, kWindowsPlaceholder) != nullptr)) return std::nullopt;
  if (!given)
    refuse(section.pos("command"), "[experiment] has the placeholder '{windows}' without windows",
           "add how many windows a run has, such as windows = 3.");
  if (declared(question, kWindowsPlaceholder) != nullptr)
    refuse(section.pos("windows"), "[experiment] windows: '{windows}' is the label 'windows'", "rename the label.");
  if (!used || !experiment.profiler.leaves_report)
    refuse(section.pos("windows"), "[experiment] windows is given, but nothing is told to record so many",
           "for nsys add options = [\"--capture-range=cudaProfilerApi\", \"--capture-range-end=repeat:{windows}\"], "
           "for a program that writes them itself a word with {windows}.");
  return windows;
}

ExperimentSpec parse_experiment(Section section, const Question& question) {
  ExperimentSpec experiment;
  experiment.pos = section.pos();
  experiment.name = section.text("name").value_or("");
  experiment.command = words_of(question, section, "command");
  if (experiment.command.empty())
    refuse(section.pos("command"), "[experiment] has no command", "add command = [\"python3\", \"program.py\", ...].");
  const std::filesystem::path home = question.file.has_parent_path() ? question.file.parent_path() : ".";
  experiment.folder = home / section.text("folder").value_or(".");
  experiment.profiler = read_profiler(question, section);
  experiment.options = words_of(question, section, "options");
  if (auto bind = section.table("bind")) {
    experiment.bind_cpus = text_of(question, *bind, "cpus");
    experiment.bind_memory = text_of(question, *bind, "memory");
    bind->finish();
  }
  experiment.gpu = text_of(question, section, "gpu");
  experiment.timeout_seconds = duration_of(section, "timeout", experiment.timeout_seconds);
  experiment.cooldown = read_cooldown(section);
  experiment.warmup = count_of(section, "warmup", 0, 0);
  experiment.check = words_of(question, section, "check");
  experiment.prepare = read_commands(question, section, "prepare");
  experiment.conclude = read_commands(question, section, "conclude");
  experiment.launcher = words_of(question, section, "launcher");
  experiment.caches = read_caches(section);
  experiment.replicates = count_of(section, "replicates", 1, 1);
  experiment.most = count_of(section, "most", std::max<std::size_t>(20, experiment.replicates), experiment.replicates);
  read_order(section, experiment);
  experiment.retries = count_of(section, "retries", 1, 0);
  experiment.reject = read_reject(section);
  experiment.env = read_env(question, section);
  experiment.fill = read_fill(question, section);
  experiment.arguments = read_arguments(question, section);
  experiment.chooses_steps = read_steps(question, section, experiment);
  experiment.told_windows = read_windows(question, section, experiment);
  section.finish();
  return experiment;
}

}  // namespace

void check_experiment(Section section, const Question& question) {
  static_cast<void>(parse_experiment(std::move(section), question));
}

Result<std::optional<ExperimentSpec>> read_experiment(const Question& question) {
  try {
    const toml::table table = parse_toml(question.file);
    Section root(table, "", {question.file.string(), 1, 1});
    auto section = root.table("experiment");
    if (!section) return std::optional<ExperimentSpec>{};
    return std::optional(parse_experiment(std::move(*section), question));
  } catch (const ConfigMistake& mistake) {
    return mistake.error();
  }
}

}  // namespace assay
