#include "plan/question_scope.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "algo/fingerprint.hpp"
#include "config/built_in_labels.hpp"
#include "config/label_value.hpp"
#include "files/did_you_mean.hpp"

namespace assay {

QuestionScope::QuestionScope(const Question& question, const std::vector<const Plugin*>& enabled, const Plugins& all)
    : question_(&question), all_(&all) {
  for (std::size_t i = 0; i < enabled.size(); ++i) {
    for (const MetricSpec& metric : enabled[i]->descriptor().produces) producers_[std::string(metric.id)] = {i, true};
    for (const AttributeSpec& attribute : enabled[i]->descriptor().attributes) {
      producers_[std::string(attribute.name)] = {i, false};
    }
  }
}

std::optional<std::size_t> QuestionScope::producer(std::string_view name) const {
  const auto at = producers_.find(name);
  return at == producers_.end() ? std::nullopt : std::optional<std::size_t>(at->second.analyzer);
}

std::optional<Error> QuestionScope::metric_problem(std::string_view name) const {
  const auto at = producers_.find(name);
  if (at == producers_.end()) return nobody_produces(name, false);
  if (at->second.metric) return std::nullopt;
  return Error{"names '" + std::string(name) + "', which is a text attribute, not a metric."};
}

std::optional<Error> QuestionScope::consumed_problem(std::string_view name) const {
  if (name == kFingerprint || producers_.contains(name)) return std::nullopt;  // the host emits it if need be
  return nobody_produces(name, true);
}

Error QuestionScope::nobody_produces(std::string_view name, bool attributes_too) const {
  const std::string problem = "names '" + std::string(name) + "', which no enabled analyzer produces";
  std::vector<std::string> known;
  for (const auto& plugin : all_->loaded) {
    const std::string enable = "enable [analyzers." + std::string(plugin->id()) + "], which does.";
    for (const MetricSpec& metric : plugin->descriptor().produces) {
      if (metric.id == name) return Error{problem}.advise(enable);
    }
    for (const AttributeSpec& attribute : plugin->descriptor().attributes) {
      if (attributes_too && attribute.name == name) return Error{problem}.advise(enable);
    }
  }
  for (const auto& [id, producer] : producers_) {
    if (producer.metric || attributes_too) known.push_back(id);
  }
  const std::string guess = did_you_mean(name, known);
  return guess.empty() ? Error{problem}.advise("'assay describe' lists every metric.")
                       : Error{problem + "."}.suggest(guess);
}

std::optional<Error> QuestionScope::label_problem(std::string_view name) const {
  if (is_built_in_label(name)) return std::nullopt;
  std::vector<std::string> known;
  for (const LabelSpec& label : question_->labels.labels) {
    if (label.name == name) return std::nullopt;
    known.push_back(label.name);
  }
  const std::string guess = did_you_mean(name, known);
  const std::string problem = "names the label '" + std::string(name) + "', which is not declared";
  return guess.empty() ? Error{problem}.advise("declare it with [labels." + std::string(name) + "].")
                       : Error{problem + "."}.suggest(guess);
}

std::optional<Error> QuestionScope::condition_problem(std::string_view condition) const {
  const std::size_t equals = condition.find('=');
  if (equals == std::string_view::npos) {
    return Error{"holds '" + std::string(condition) + "'"}.advise("expected \"label=value\" or \"label=a|b\".");
  }
  const std::string_view name = condition.substr(0, equals);
  if (std::optional<Error> problem = label_problem(name)) return problem;
  if (is_built_in_label(name)) return std::nullopt;
  const auto label = std::ranges::find_if(question_->labels.labels, [&](const LabelSpec& l) { return l.name == name; });
  for (std::string_view rest = condition.substr(equals + 1);;) {
    const std::size_t bar = std::min(rest.find('|'), rest.size());
    const std::string value(rest.substr(0, bar));
    const Result<ParsedLabel> read = read_label_value(*label, value);
    if (!read || read->text != value) {
      return Error{fmt::format("holds '{}', whose value '{}' {}.", std::string(condition), value,
                               read ? "is written '" + read->text + "' in the results" : read.error().sentence)};
    }
    if (bar == rest.size()) return std::nullopt;
    rest.remove_prefix(bar + 1);
  }
}

}  // namespace assay
