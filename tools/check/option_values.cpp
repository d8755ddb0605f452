#include "check/option_values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::check {
namespace {

using testing::OptionInput;
using Texts = std::vector<std::string>;

constexpr std::size_t kLong = 10000;

struct Candidate {
  std::string shown;
  OptionInput value;
};

std::string number_text(double value) {
  std::string text = std::to_string(value);
  return text.size() <= 24 ? text : fmt::format("{}... ({} characters)", text.substr(0, 6), text.size());
}

std::vector<double> bounds(const OptionSpec& spec) {
  constexpr double kMax = std::numeric_limits<double>::max();
  std::vector<double> values{std::max(spec.minimum, -kMax), std::min(spec.maximum, kMax)};
  for (const double value : {0.0, std::numeric_limits<double>::denorm_min()}) {
    if (value > spec.minimum && value < spec.maximum) values.push_back(value);
  }
  return values;
}

std::vector<std::int64_t> whole_bounds(const OptionSpec& spec) {
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min(), kMax = std::numeric_limits<std::int64_t>::max();
  const bool low = spec.minimum > static_cast<double>(kMin), high = spec.maximum < static_cast<double>(kMax);
  std::vector<std::int64_t> values{low ? static_cast<std::int64_t>(std::ceil(spec.minimum)) : kMin,
                                   high ? static_cast<std::int64_t>(std::floor(spec.maximum)) : kMax};
  if (spec.minimum < 0 && spec.maximum > 0) values.push_back(0);
  return values;
}

Texts choices_of(const OptionSpec& spec) {
  Texts choices;
  std::string_view rest = spec.choices;
  while (!rest.empty()) {
    const std::string_view choice = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), choice.size() + 1));
    choices.emplace_back(choice);
  }
  return choices;
}

Texts hostile_texts() {
  return {
      "", " ", std::string(kLong, 'x'), std::string(kLong, '('), "\x01\n\t=;%{i}|*?[", "\xE2\x80\xAE\xF0\x9F\x92\xA9"};
}

std::string shown(const std::string& text) {
  return text.size() <= 40 ? "'" + text + "'" : fmt::format("'{}...' ({})", text.substr(0, 8), text.size());
}

std::vector<Candidate> list_candidates(const Texts& texts) {
  std::vector<Candidate> candidates{{"an empty list", Texts{}}};
  for (const std::string& text : texts) candidates.push_back({"[" + shown(text) + "]", Texts{text}});
  return candidates;
}

/// Only lists of texts may contain duplicates.
std::vector<Candidate> text_list_candidates(const Texts& texts) {
  std::vector<Candidate> candidates = list_candidates(texts);
  if (texts.empty()) return candidates;
  Texts many;
  for (std::size_t i = 0; i < 1000; ++i) many.push_back(texts[i % texts.size()]);
  candidates.push_back({"1000 texts", many});
  return candidates;
}

std::vector<Candidate> number_list_candidates(const OptionSpec& spec) {
  const std::vector<double> values = bounds(spec);
  std::vector<Candidate> candidates{{"an empty list", std::vector<double>{}}};
  for (const double value : values) candidates.push_back({"[" + number_text(value) + "]", std::vector<double>{value}});
  candidates.push_back({"its bounds", values});
  return candidates;
}

std::vector<Candidate> text_candidates(const Texts& texts) {
  std::vector<Candidate> candidates;
  for (const std::string& text : texts) candidates.push_back({shown(text), text});
  return candidates;
}

std::vector<Candidate> candidates_for(const OptionSpec& spec) {
  std::vector<Candidate> candidates;
  switch (spec.type) {
    case OptionType::kBool:
      return {{"false", false}, {"true", true}};
    case OptionType::kInteger:
      for (const std::int64_t value : whole_bounds(spec)) candidates.push_back({std::to_string(value), value});
      return candidates;
    case OptionType::kNumber:
      for (const double value : bounds(spec)) candidates.push_back({number_text(value), value});
      return candidates;
    case OptionType::kText:
      return text_candidates(spec.choices.empty() ? hostile_texts() : choices_of(spec));
    case OptionType::kTextList:
      return text_list_candidates(spec.choices.empty() ? hostile_texts() : choices_of(spec));
    case OptionType::kNumberList:
      return number_list_candidates(spec);
    case OptionType::kMetric:
      return text_candidates({"a.metric_without_facts", std::string(kLong, 'm')});
    case OptionType::kLabel:
      return text_candidates({"a label without values", std::string(kLong, 'l')});
    case OptionType::kMetricList:
      return list_candidates({"a.metric_without_facts", std::string(kLong, 'm')});
    case OptionType::kLabelList:
      return list_candidates({"a label without values", std::string(kLong, 'l')});
    case OptionType::kConditionList:
      return list_candidates({"size=1", "size=1|2", std::string(kLong, 'l') + "=" + std::string(kLong, 'v')});
  }
  return candidates;
}

}  // namespace

std::vector<OptionCase> hostile_options(Span<OptionSpec> declared, const OptionInputs& usual) {
  std::vector<OptionCase> cases;
  for (const OptionSpec& spec : declared) {
    const std::string name(spec.name.view());
    for (const Candidate& candidate : candidates_for(spec)) {
      OptionInputs given{{name, candidate.value}};
      for (const auto& other : usual) {
        if (other.first != name) given.push_back(other);
      }
      cases.push_back({name, candidate.shown, std::move(given)});
    }
  }
  return cases;
}

OptionInputs named_options(Span<OptionSpec> declared, const std::string& metric) {
  OptionInputs given;
  for (const OptionSpec& spec : declared) {
    if (!spec.default_value.empty()) continue;
    const std::string name(spec.name.view());
    if (spec.type == OptionType::kMetric && !metric.empty()) given.emplace_back(name, metric);
    if (spec.type == OptionType::kMetricList && !metric.empty()) given.emplace_back(name, Texts{metric});
    if (spec.type == OptionType::kLabel) given.emplace_back(name, "size");
    if (spec.type == OptionType::kLabelList) given.emplace_back(name, Texts{"size"});
  }
  return given;
}

void add_named(Span<OptionSpec> declared, const Options& options, OptionReferences& to) {
  for (const OptionSpec& spec : declared) {
    const OptionValue* value = options.find(spec.name);
    if (value == nullptr) continue;
    const auto add = [&](std::string_view text) {
      if (text.empty()) return;
      if (spec.type == OptionType::kMetric || spec.type == OptionType::kMetricList) to.metrics.emplace(text);
      if (spec.type == OptionType::kLabel || spec.type == OptionType::kLabelList) {
        to.labels.emplace(text);
        if (to.compared.empty()) to.compared = text;
      }
      if (spec.type == OptionType::kText) to.texts.emplace_back(text);
      if (spec.type != OptionType::kConditionList) return;
      const std::size_t equals = std::min(text.find('='), text.size());
      const std::string_view values = text.substr(std::min(equals + 1, text.size()));
      to.conditions.emplace(text.substr(0, equals), values.substr(0, values.find('|')));
    };
    add(value->text);
    for (const Str text : value->texts) add(text);
  }
}

}  // namespace assay::check
