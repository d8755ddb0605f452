#include "config/section.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "config/label_value.hpp"
#include "files/did_you_mean.hpp"

namespace assay {
namespace {

/// Position of a node; for tables without a line of their own ([a.b] alone creates [a]) that of the parent.
SourcePos position_of(const toml::source_region& region, const SourcePos& fallback) {
  if (region.begin.line == 0) return fallback;
  return {fallback.file, region.begin.line, region.begin.column};
}

bool all_of_kind(const toml::array& array, bool (*is_kind)(const toml::node&)) {
  return std::all_of(array.begin(), array.end(), is_kind);
}

}  // namespace

std::string SourcePos::str() const { return line == 0 ? file : fmt::format("{}:{}:{}", file, line, column); }

void refuse(const SourcePos& pos, const std::string& problem, const std::string& remedy, const std::string& guess) {
  throw ConfigMistake(Error{pos.str() + ": " + problem}.at(pos.str()).advise(remedy).suggest(guess));
}

void refuse_value(const SourcePos& pos, const std::string& problem, const Error& why) {
  const std::string remedy = why.remedy.empty() ? "" : why.remedy + ".";
  throw ConfigMistake({fmt::format("{}: {}{}.", pos.str(), problem, why.sentence), why.exit, pos.str(), remedy});
}

std::string_view kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

RawValue raw_value(const toml::node& node, const SourcePos& pos, const std::string& what) {
  if (const auto* v = node.as_boolean()) return {v->get(), pos};
  if (const auto* v = node.as_integer()) return {v->get(), pos};
  if (const auto* v = node.as_floating_point()) return {v->get(), pos};
  if (const auto* v = node.as_string()) return {v->get(), pos};
  const toml::array* array = node.as_array();
  if (array == nullptr) refuse(pos, what + " is " + std::string(kind_of(node)), "expected a plain value or a list.");
  if (all_of_kind(*array, [](const toml::node& n) { return n.is_string(); })) {
    std::vector<std::string> texts;
    for (const toml::node& element : *array) texts.push_back(element.as_string()->get());
    return {std::move(texts), pos};
  }
  if (!all_of_kind(*array, [](const toml::node& n) { return n.is_number(); })) {
    refuse(pos, what + " is a list of mixed types", "expected only texts or only numbers.");
  }
  std::vector<double> numbers;
  for (const toml::node& element : *array) {
    // Not value<double>(), which is empty for an integer that a double cannot represent exactly.
    const auto* whole = element.as_integer();
    numbers.push_back(whole != nullptr ? static_cast<double>(whole->get()) : element.as_floating_point()->get());
  }
  return {std::move(numbers), pos};
}

std::string label_text(const toml::node& node, const SourcePos& pos, const std::string& what) {
  if (const auto* v = node.as_string()) return v->get();
  if (const auto* v = node.as_integer()) return std::to_string(v->get());
  if (const auto* v = node.as_floating_point()) return shortest(v->get());
  if (const auto* v = node.as_boolean()) return v->get() ? "true" : "false";
  refuse(pos, what + " is " + std::string(kind_of(node)), "expected one value, a number or a text.");
}

Section::Section(const toml::table& table, std::string title, SourcePos pos)
    : table_(&table), title_(std::move(title)), pos_(std::move(pos)) {}

SourcePos Section::pos(std::string_view key) const {
  const auto at = table_->find(key);
  return at == table_->end() ? pos_ : position_of(at->first.source(), pos_);
}

const toml::node* Section::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_->get(key);
}

void Section::wrong_type(std::string_view key, const toml::node& node, std::string_view expected) const {
  refuse(pos(key), name_of(key) + " is " + std::string(kind_of(node)), "expected " + std::string(expected) + ".");
}

std::optional<std::string> Section::text(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string()) wrong_type(key, *node, "a text in quotes");
  return node->as_string()->get();
}

std::string Section::required_text(std::string_view key) {
  std::optional<std::string> found = text(key);
  if (!found)
    refuse(pos_, fmt::format("{} has no '{}'", title_, std::string(key)), "add " + std::string(key) + " = \"...\".");
  if (found->empty()) refuse(pos(key), name_of(key) + " is empty", "write a text.");
  return *found;
}

std::optional<bool> Section::boolean(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_boolean()) wrong_type(key, *node, "true or false");
  return node->as_boolean()->get();
}

std::optional<double> Section::number(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_number()) wrong_type(key, *node, "a number");
  return node->value<double>();
}

std::vector<std::string> Section::texts(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) wrong_type(key, *node, "a list of texts, such as [\"a\", \"b\"]");
  std::vector<std::string> out;
  for (const toml::node& element : *array) {
    if (!element.is_string()) {
      refuse(position_of(element.source(), pos(key)), name_of(key) + " holds " + std::string(kind_of(element)),
             "expected only texts.");
    }
    out.push_back(element.as_string()->get());
  }
  return out;
}

std::vector<std::string> Section::one_or_more_texts(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr || !node->is_array()) return {required_text(key)};
  std::vector<std::string> out = texts(key);
  if (out.empty()) refuse(pos(key), name_of(key) + " is an empty list", "expected a text, or a list of at least one.");
  return out;
}

std::optional<Section> Section::table(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) wrong_type(key, *node, "a table, [" + std::string(key) + "]");
  return Section(*node->as_table(), "[" + std::string(key) + "]", position_of(node->source(), pos(key)));
}

std::vector<Section> Section::tables(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const std::string prefix = title_.empty() ? "" : title_.substr(1, title_.size() - 2) + ".";
  const std::string title = fmt::format("[[{}{}]]", prefix, std::string(key));
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    refuse(pos(key), title + " is " + std::string(kind_of(*node)), "each one begins with a line " + title + ".");
  }
  std::vector<Section> out;
  for (const toml::node& element : *array) {
    const SourcePos at = position_of(element.source(), pos(key));
    if (!element.is_table()) refuse(at, title + " holds " + std::string(kind_of(element)), "expected tables.");
    out.emplace_back(*element.as_table(), title, at);
  }
  return out;
}

std::vector<Section::Entry> Section::rest() {
  std::vector<Entry> entries;
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    entries.push_back({name, &node, position_of(key.source(), pos_)});
  }
  for (const Entry& entry : entries) known_.push_back(entry.key);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.pos.line, a.pos.column, a.key) < std::tie(b.pos.line, b.pos.column, b.key);
  });
  return entries;
}

void Section::finish() {
  const std::vector<std::string> known = known_;
  const std::vector<Entry> unknown = rest();
  if (unknown.empty()) return;
  const std::string holder = title_.empty() ? "A question file" : title_;
  std::string all;
  for (const std::string& key : known) all += (all.empty() ? "" : ", ") + key;
  const std::string guess = did_you_mean(unknown.front().key, known);
  const std::string problem = fmt::format("{} has no key '{}'", holder, unknown.front().key);
  if (guess.empty()) refuse(unknown.front().pos, problem, "its keys are " + all + ".");
  refuse(unknown.front().pos, problem + ".", {}, guess);
}

}  // namespace assay
