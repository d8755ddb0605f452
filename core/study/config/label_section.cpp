#include "config/label_section.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "assay/study.hpp"
#include "config/built_in_labels.hpp"
#include "config/label_value.hpp"
#include "config/pattern.hpp"
#include "files/did_you_mean.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxCells = 100000;

std::vector<std::string> names_of(const std::vector<LabelSpec>& labels) {
  std::vector<std::string> names;
  for (const LabelSpec& label : labels) names.push_back(label.name);
  return names;
}

/// The declared label, or an error that begins with `what` ("the pattern '...' has the placeholder").
const LabelSpec& declared(const LabelRules& rules, std::string_view name, const SourcePos& pos,
                          const std::string& what) {
  const auto at =
      std::find_if(rules.labels.begin(), rules.labels.end(), [&](const LabelSpec& l) { return l.name == name; });
  if (at != rules.labels.end()) return *at;
  const std::vector<std::string> known = names_of(rules.labels);
  const std::string guess = did_you_mean(name, known);
  const std::string problem = fmt::format("{} '{}', which is not a declared label", what, std::string(name));
  if (!guess.empty()) refuse(pos, problem + ".", {}, guess);
  refuse(pos, problem, "declare it with [labels." + std::string(name) + "].");
}

/// Normal form of a value, or an error.
std::string checked_value(const LabelSpec& label, const std::string& text, const SourcePos& pos,
                          const std::string& what) {
  const Result<ParsedLabel> value = read_label_value(label, text);
  if (!value) {
    refuse_value(pos,
                 fmt::format("{} gives label '{}' ({}) the value '{}', which ", what, label.name,
                             std::string(label_type_name(label.type)), text),
                 value.error());
  }
  return value->text;
}

bool is_label_name(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && std::all_of(name.begin(), name.end(), fits);
}

LabelType read_type(Section& section) {
  const std::string word = section.text("type").value_or("text");
  for (const LabelType type : {LabelType::kInteger, LabelType::kNumber, LabelType::kText}) {
    if (word == label_type_name(type)) return type;
  }
  refuse(section.pos("type"), fmt::format("{} type is '{}'", section.title(), word),
         "expected \"int\", \"number\" or \"text\".");
}

std::uint32_t read_changes(Section& section) {
  std::uint32_t bits = 0;
  for (const std::string& word : section.texts("changes")) {
    if (word == "kernels")
      bits |= kChangesKernels;
    else if (word == "copies")
      bits |= kChangesCopies;
    else if (word == "sync")
      bits |= kChangesSync;
    else
      refuse(section.pos("changes"), fmt::format("{} changes holds '{}'", section.title(), word),
             "expected \"kernels\", \"copies\" or \"sync\".");
  }
  return bits;
}

std::vector<std::string> read_values(Section& section, const LabelSpec& label) {
  const toml::node* node = section.find("values");
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  const std::string what = section.title() + " values";
  if (array == nullptr || array->empty())
    refuse(section.pos("values"), what + " is not a list of values", "expected [a, b, ...].");
  std::vector<std::string> values;
  std::unordered_set<std::string> known;
  for (const toml::node& element : *array) {
    const std::string text = label_text(element, section.pos("values"), what);
    const std::string value = checked_value(label, text, section.pos("values"), what);
    if (!known.insert(value).second) {
      refuse(section.pos("values"), fmt::format("{} holds '{}' twice.", what, value));
    }
    values.push_back(value);
  }
  return values;
}

LabelSpec read_label(Section section, const std::string& name) {
  LabelSpec label;
  label.name = name;
  label.pos = section.pos();
  label.type = read_type(section);
  label.changes = read_changes(section);
  label.rank = section.boolean("rank").value_or(false);
  label.descriptive = section.boolean("descriptive").value_or(label.rank);
  if (label.rank && !label.descriptive) {
    refuse(section.pos("descriptive"), section.title() + " is a rank but not descriptive",
           "the ranks of one job are one run, so leave out descriptive = false.");
  }
  label.fields = section.find("fields") == nullptr ? std::vector<std::string>{name} : section.texts("fields");
  label.values = read_values(section, label);
  if (const toml::node* node = section.find("default")) {
    const std::string what = section.title() + " default";
    label.default_value =
        checked_value(label, label_text(*node, section.pos("default"), what), section.pos("default"), what);
  }
  section.finish();
  return label;
}

void check_pattern(const LabelRules& rules, const std::string& text, const SourcePos& pos, const std::string& kind) {
  const Result<Pattern> pattern = parse_pattern(text);
  const std::string what = fmt::format("the {} '{}'", kind, text);
  if (!pattern) refuse_value(pos, what + " ", pattern.error());
  for (const PatternPart& part : *pattern) {
    if (part.placeholder) declared(rules, part.text, pos, what + " has the placeholder");
  }
}

using Setting = std::pair<std::string, std::string>;

std::vector<Setting> read_settings(Section& suffix, std::string_view key, const LabelRules& rules) {
  const toml::node* node = suffix.find(key);
  if (node == nullptr) return {};
  const std::string what = suffix.title() + " " + std::string(key);
  const toml::table* table = node->as_table();
  if (table == nullptr)
    refuse(suffix.pos(key), what + " is " + std::string(kind_of(*node)), "expected { label = value }.");
  Section section(*table, what, suffix.pos(key));
  std::vector<Setting> settings;
  for (const Section::Entry& entry : section.rest()) {
    const LabelSpec& label = declared(rules, entry.key, entry.pos, what + " names");
    settings.emplace_back(label.name, checked_value(label, label_text(*entry.node, entry.pos, what), entry.pos, what));
  }
  return settings;
}

SuffixSpec read_suffix(Section section, const LabelRules& rules) {
  SuffixSpec suffix;
  suffix.pos = section.pos();
  suffix.match = section.required_text("match");
  check_pattern(rules, suffix.match, section.pos("match"), "suffix");
  suffix.set = read_settings(section, "set", rules);
  suffix.implies = read_settings(section, "implies", rules);
  section.finish();
  const bool says_something =
      suffix.match.find('{') != std::string::npos || !suffix.set.empty() || !suffix.implies.empty();
  if (!says_something) {
    refuse(suffix.pos,
           "the suffix '" + suffix.match + "' sets no label, so runs with and without it would count as repeat runs",
           "add set = { label = value } or a placeholder.");
  }
  return suffix;
}

using Axis = std::pair<std::string, std::vector<std::string>>;

/// dim = [384, 768]
Axis read_axis(const Section::Entry& entry, const LabelRules& rules) {
  const std::string what = "[[matrix]] " + entry.key;
  const LabelSpec& label = declared(rules, entry.key, entry.pos, "[[matrix]] names");
  Axis axis{label.name, {}};
  const auto add = [&](const toml::node& node) {
    axis.second.push_back(checked_value(label, label_text(node, entry.pos, what), entry.pos, what));
  };
  if (const toml::array* array = entry.node->as_array()) {
    for (const toml::node& element : *array) add(element);
  } else {
    add(*entry.node);
  }
  if (axis.second.empty()) refuse(entry.pos, what + " is an empty list", "a block without values expects nothing.");
  return axis;
}

std::vector<std::string> joint_names(const std::string& key) {
  std::vector<std::string> names(1);
  for (const char c : key) {
    if (c == ',')
      names.emplace_back();
    else if (c != ' ')
      names.back() += c;
  }
  return names;
}

/// "patch,depth,dim" = [[32, 6, 384], [16, 12, 768]]: each tuple as one-value axes.
std::vector<std::vector<Axis>> read_joint(const Section::Entry& entry, const LabelRules& rules) {
  const std::vector<std::string> names = joint_names(entry.key);
  const std::string what = "[[matrix]] \"" + entry.key + "\"";
  const std::string expected = fmt::format("{} expects a list of lists with {} values each.", what, names.size());
  const toml::array* tuples = entry.node->as_array();
  if (tuples == nullptr || tuples->empty()) refuse(entry.pos, expected);
  std::vector<std::vector<Axis>> out;
  for (const toml::node& node : *tuples) {
    const toml::array* tuple = node.as_array();
    if (tuple == nullptr || tuple->size() != names.size()) refuse(entry.pos, expected);
    std::vector<Axis>& axes = out.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const LabelSpec& label = declared(rules, names[i], entry.pos, what + " names");
      const std::string text = label_text(*tuple->get(i), entry.pos, what);
      axes.push_back({label.name, {checked_value(label, text, entry.pos, what)}});
    }
  }
  return out;
}

std::size_t cells_of(const MatrixBlock& block) {
  std::size_t cells = 1;
  for (const Axis& axis : block.values) cells = std::min(kMaxCells + 1, cells * axis.second.size());
  return cells;
}

void check_labels_once(const MatrixBlock& block, const SourcePos& pos) {
  std::vector<std::string> seen;
  for (const Axis& axis : block.values) {
    if (std::find(seen.begin(), seen.end(), axis.first) != seen.end()) {
      refuse(pos, "[[matrix]] gives values for label '" + axis.first + "' twice.");
    }
    seen.push_back(axis.first);
  }
}

}  // namespace

void check_patterns(const LabelRules& rules, const std::vector<std::string>& patterns, const SourcePos& pos) {
  for (const std::string& pattern : patterns) check_pattern(rules, pattern, pos, "pattern");
}

LabelRules read_labels(Section& section) {
  LabelRules rules;
  rules.patterns = section.texts("patterns");
  std::vector<Section> suffixes = section.tables("suffix");
  for (const Section::Entry& entry : section.rest()) {
    const std::string title = "[labels." + entry.key + "]";
    const toml::table* table = entry.node->as_table();
    if (table == nullptr) {
      const std::string reserved[] = {"patterns", "suffix"};
      refuse(entry.pos, title + " is " + std::string(kind_of(*entry.node)),
             "a label is a table, such as " + entry.key + " = { type = \"int\" }.", did_you_mean(entry.key, reserved));
    }
    if (!is_label_name(entry.key)) {
      refuse(entry.pos, title + " is not a name for a label",
             "use lowercase letters, digits and '_', starting with a letter.");
    }
    if (is_built_in_label(entry.key)) {
      refuse(entry.pos,
             fmt::format("{} declares a label that every profile has anyway: the {} that the profile itself records",
                         title, entry.key),
             "give this one another name, such as " + entry.key + "_name.");
    }
    rules.labels.push_back(read_label(Section(*table, title, entry.pos), entry.key));
  }
  check_patterns(rules, rules.patterns, section.pos("patterns"));
  for (Section& suffix : suffixes) rules.suffixes.push_back(read_suffix(std::move(suffix), rules));
  if (rules.patterns.empty() && !rules.suffixes.empty()) {
    refuse(rules.suffixes.front().pos, "[labels] has suffixes but no pattern for what comes before them",
           "add patterns = [\"...\"].");
  }
  return rules;
}

std::vector<MatrixBlock> read_matrix(std::vector<Section> blocks, const LabelRules& rules) {
  std::vector<MatrixBlock> matrix;
  std::size_t cells = 0;
  for (Section& section : blocks) {
    std::vector<MatrixBlock> expanded(1);
    for (const Section::Entry& entry : section.rest()) {
      std::vector<MatrixBlock> wider;
      const bool joint = entry.key.find(',') != std::string::npos;
      const auto choices = joint ? read_joint(entry, rules) : std::vector<std::vector<Axis>>{{read_axis(entry, rules)}};
      if (choices.size() * expanded.size() > kMaxCells)
        refuse(entry.pos, "[[matrix]] expects more runs than is practical.");
      for (const MatrixBlock& block : expanded) {
        for (const std::vector<Axis>& axes : choices) {
          wider.push_back(block);
          wider.back().values.insert(wider.back().values.end(), axes.begin(), axes.end());
        }
      }
      expanded = std::move(wider);
    }
    if (expanded.front().values.empty())
      refuse(section.pos(), "[[matrix]] names no label", "write e.g. dim = [384, 768].");
    for (const MatrixBlock& block : expanded) {
      check_labels_once(block, section.pos());
      cells += cells_of(block);
      if (cells > kMaxCells)
        refuse(section.pos(), "[[matrix]] expects more than " + std::to_string(kMaxCells) + " runs",
               "check its lists.");
    }
    matrix.insert(matrix.end(), expanded.begin(), expanded.end());
  }
  return matrix;
}

}  // namespace assay
