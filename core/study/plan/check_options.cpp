#include "plan/check_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/detail/text.hpp"
#include "config/label_value.hpp"
#include "files/did_you_mean.hpp"

namespace assay {
namespace {

using CheckedValue = decltype(OptionSet::Entry::value);
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

std::string_view expected(OptionType type) {
  switch (type) {
    case OptionType::kBool:
      return "true or false";
    case OptionType::kInteger:
      return "an integer";
    case OptionType::kNumber:
      return "a number";
    case OptionType::kText:
      return "a text in quotes";
    case OptionType::kTextList:
      return "a list of texts";
    case OptionType::kNumberList:
      return "a list of numbers";
    case OptionType::kMetric:
      return "the name of a metric";
    case OptionType::kMetricList:
      return "a list of metrics";
    case OptionType::kLabel:
      return "the name of a label";
    case OptionType::kLabelList:
      return "a list of labels";
    case OptionType::kConditionList:
      return "a list of conditions \"label=value\"";
  }
  return "";
}

/// A TOML value as the option type; empty if the types do not match.
std::optional<CheckedValue> converted(const RawValue& raw, OptionType type) {
  if (type == OptionType::kBool && std::holds_alternative<bool>(raw.value)) return std::get<bool>(raw.value);
  if (type == OptionType::kInteger && std::holds_alternative<std::int64_t>(raw.value))
    return std::get<std::int64_t>(raw.value);
  std::optional<double> number;
  if (const auto* v = std::get_if<std::int64_t>(&raw.value)) number = static_cast<double>(*v);
  if (const auto* v = std::get_if<double>(&raw.value)) number = *v;
  const auto* text = std::get_if<std::string>(&raw.value);
  const auto* texts = std::get_if<Texts>(&raw.value);
  const auto* numbers = std::get_if<Numbers>(&raw.value);
  switch (type) {
    case OptionType::kBool:
    case OptionType::kInteger:
      return std::nullopt;
    case OptionType::kNumber:
      return number ? std::optional<CheckedValue>(*number) : std::nullopt;
    case OptionType::kText:
    case OptionType::kMetric:
    case OptionType::kLabel:
      return text != nullptr ? std::optional<CheckedValue>(*text) : std::nullopt;
    case OptionType::kNumberList:
      if (number) return Numbers{*number};
      if (texts != nullptr && texts->empty()) return Numbers{};  // [] has no element type
      return numbers != nullptr ? std::optional<CheckedValue>(*numbers) : std::nullopt;
    case OptionType::kTextList:
    case OptionType::kMetricList:
    case OptionType::kLabelList:
    case OptionType::kConditionList:
      if (text != nullptr) return Texts{*text};
      return texts != nullptr ? std::optional<CheckedValue>(*texts) : std::nullopt;
  }
  return std::nullopt;
}

Texts split_list(std::string_view text) {
  Texts parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part.remove_suffix(part.size() - 1 - std::min(part.find_last_not_of(' '), part.size() - 1));
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

/// The default as written by the plugin; an empty one is false, 0, the empty text or list. Empty if it does not parse.
std::optional<CheckedValue> parsed_default(const OptionSpec& spec) {
  const std::string_view text = spec.default_value;
  Texts parts = split_list(text);
  switch (spec.type) {
    case OptionType::kBool:
      return text == "true" || text == "false" || text.empty() ? std::optional<CheckedValue>(text == "true")
                                                               : std::nullopt;
    case OptionType::kInteger:
      if (text.empty()) return std::int64_t{0};
      if (const auto number = number_in<std::int64_t>(text)) return *number;
      return std::nullopt;
    case OptionType::kNumber:
      if (text.empty()) return 0.0;
      if (const auto number = number_in<double>(text)) return *number;
      return std::nullopt;
    case OptionType::kNumberList: {
      Numbers numbers;
      for (const std::string& part : parts) {
        const auto number = number_in<double>(part);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
      }
      return numbers;
    }
    case OptionType::kText:
    case OptionType::kMetric:
    case OptionType::kLabel:
      return std::string(text);
    case OptionType::kTextList:
    case OptionType::kMetricList:
    case OptionType::kLabelList:
    case OptionType::kConditionList:
      return parts;
  }
  return std::nullopt;
}

/// Predicate if the number is outside the permitted range. An open end permits infinity.
std::optional<Error> number_problem(const OptionSpec& spec, double number) {
  constexpr double kOpen = std::numeric_limits<double>::max();
  if (std::isnan(number)) return Error{"is not a number (nan)."};
  const bool low = number < spec.minimum && spec.minimum != -kOpen;
  const bool high = number > spec.maximum && spec.maximum != kOpen;
  if (!low && !high) return std::nullopt;
  const std::string at_least = spec.minimum == -kOpen ? "" : "at least " + shortest(spec.minimum);
  const std::string at_most = spec.maximum == kOpen ? "" : "at most " + shortest(spec.maximum);
  const std::string both = !at_least.empty() && !at_most.empty() ? " and " : "";
  return Error{"is " + shortest(number)}.advise(fmt::format("expected {}{}{}.", at_least, both, at_most));
}

std::optional<Error> choice_problem(const OptionSpec& spec, const std::string& text) {
  if (spec.choices.empty()) return std::nullopt;
  Texts choices(1);
  for (const char c : spec.choices.view()) {
    if (c == '|')
      choices.emplace_back();
    else
      choices.back() += c;
  }
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return std::nullopt;
  std::string all;
  for (const std::string& choice : choices) all += (all.empty() ? "'" : ", '") + choice + "'";
  return Error{"is '" + text + "'"}.advise("expected one of " + all + ".").suggest(did_you_mean(text, choices));
}

std::optional<Error> text_problem(const OptionSpec& spec, const std::string& text, const QuestionScope& scope) {
  switch (spec.type) {
    case OptionType::kMetric:
    case OptionType::kMetricList:
      return scope.metric_problem(text);
    case OptionType::kLabel:
    case OptionType::kLabelList:
      return scope.label_problem(text);
    case OptionType::kConditionList:
      return scope.condition_problem(text);
    default:
      return choice_problem(spec, text);
  }
}

/// Metrics and labels are judged one by one, so one named twice would be judged twice.
std::optional<Error> repetition_problem(const OptionSpec& spec, const Texts& texts) {
  if (spec.type != OptionType::kMetricList && spec.type != OptionType::kLabelList) return std::nullopt;
  for (auto at = texts.begin(); at != texts.end(); ++at) {
    if (std::find(texts.begin(), at, *at) != at) return Error{"names '" + *at + "' twice"}.advise("name it once.");
  }
  return std::nullopt;
}

/// Predicate whose subject is the option; empty if the value is permitted.
std::optional<Error> value_problem(const OptionSpec& spec, const CheckedValue& value, const QuestionScope& scope) {
  if (const auto* v = std::get_if<std::int64_t>(&value)) return number_problem(spec, static_cast<double>(*v));
  if (const auto* v = std::get_if<double>(&value)) return number_problem(spec, *v);
  if (const auto* v = std::get_if<std::string>(&value)) return text_problem(spec, *v, scope);
  std::optional<Error> problem;
  if (const auto* numbers = std::get_if<Numbers>(&value)) {
    for (std::size_t i = 0; i < numbers->size() && !problem; ++i) problem = number_problem(spec, (*numbers)[i]);
  }
  if (const auto* texts = std::get_if<Texts>(&value)) {
    for (std::size_t i = 0; i < texts->size() && !problem; ++i) problem = text_problem(spec, (*texts)[i], scope);
    if (!problem) problem = repetition_problem(spec, *texts);
  }
  return problem;
}

Result<OptionSet::Entry> given_entry(const OptionSpec& spec, const RawOption& option, const OptionHolder& holder,
                                     const QuestionScope& scope) {
  const std::string where = fmt::format("{}: {} {} ", option.value.pos.str(), holder.title, option.name);
  std::optional<CheckedValue> value = converted(option.value, spec.type);
  const std::string pos = option.value.pos.str();
  if (!value)
    return Error{where + "has the wrong type"}.at(pos).advise("expected " + std::string(expected(spec.type)) + ".");
  if (const auto problem = value_problem(spec, *value, scope)) return problem->in(where).at(pos);
  return OptionSet::Entry{option.name, spec.type, true, std::move(*value)};
}

Result<OptionSet::Entry> default_entry(const OptionSpec& spec, const OptionHolder& holder, const QuestionScope& scope) {
  const std::string name(spec.name);
  std::optional<CheckedValue> value = parsed_default(spec);
  if (!value) {
    return Error{fmt::format("{}: {} {} has the default '{}', which is not {}", holder.pos.str(), holder.title, name,
                             std::string(spec.default_value), std::string(expected(spec.type)))}
        .at(holder.pos.str())
        .advise("this is a mistake in the plugin, give a value here.");
  }
  if (!spec.default_value.empty()) {
    if (const auto problem = value_problem(spec, *value, scope)) {
      return problem->in(fmt::format("{}: {} is not given '{}', whose default ", holder.pos.str(), holder.title, name))
          .at(holder.pos.str());
    }
  }
  return OptionSet::Entry{name, spec.type, false, std::move(*value)};
}

std::optional<Error> unknown_option(Span<OptionSpec> declared, const std::vector<RawOption>& given,
                                    const OptionHolder& holder) {
  Texts known;
  for (const OptionSpec& spec : declared) known.emplace_back(spec.name.view());
  for (const RawOption& option : given) {
    if (std::find(known.begin(), known.end(), option.name) != known.end()) continue;
    const std::string pos = option.value.pos.str();
    const std::string problem = fmt::format("{}: {} has no {} '{}'", pos, holder.title, holder.kind, option.name);
    if (known.empty()) return Error{problem}.at(pos).advise("it has none.");
    const std::string guess = did_you_mean(option.name, known);
    if (!guess.empty()) return Error{problem + "."}.at(pos).suggest(guess);
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
    return Error{problem}.at(pos).advise("there are " + all + ".");
  }
  return std::nullopt;
}

}  // namespace

Result<OptionSet> check_options(Span<OptionSpec> declared, const std::vector<RawOption>& given,
                                const OptionHolder& holder, const QuestionScope& scope) {
  if (auto error = unknown_option(declared, given, holder)) return *error;
  std::vector<OptionSet::Entry> entries;
  for (const OptionSpec& spec : declared) {
    const auto at =
        std::find_if(given.begin(), given.end(), [&](const RawOption& o) { return o.name == spec.name.view(); });
    Result<OptionSet::Entry> entry =
        at == given.end() ? default_entry(spec, holder, scope) : given_entry(spec, *at, holder, scope);
    if (!entry) return entry.error();
    entries.push_back(std::move(*entry));
  }
  return OptionSet(std::move(entries));
}

std::vector<std::string> metrics_named(const OptionSet& options) {
  Texts names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const OptionSet::Entry& entry : options.entries()) {
    if (entry.type == OptionType::kMetric) add(std::get<std::string>(entry.value));
    if (entry.type != OptionType::kMetricList) continue;
    for (const std::string& name : std::get<Texts>(entry.value)) add(name);
  }
  return names;
}

}  // namespace assay
