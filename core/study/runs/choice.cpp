#include "runs/choice.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "assay/words.hpp"
#include "config/claim_keys.hpp"
#include "files/did_you_mean.hpp"

namespace assay {

bool is_field(const std::string& field, const std::string& label) {
  const std::string word = field.substr(0, field.find('{'));
  return field == label || lower_case(word.substr(0, word.find_last_not_of("_-=.") + 1)) == label ||
         field == "{" + label + "}";
}

Status apply_choice(const RunChoice& choice, std::vector<Question>& questions) {
  std::vector<std::string> known;
  const auto each = [&](const char* option, const std::string& field, const auto& use) -> Status {
    bool found = false;
    for (Question& question : questions) {
      for (LabelSpec& label : question.labels.labels) {
        known.push_back(label.name);
        if (!is_field(field, label.name)) continue;
        found = true;
        use(question, label);
      }
    }
    if (found) return ok();
    return Error{fmt::format("{}: no question has a label '{}'", option, field)}.at(field).suggest(
        did_you_mean(field, known));
  };
  for (const bool repeats : {false, true}) {
    for (const std::string& field : repeats ? choice.repeats : choice.labels) {
      const Status used = each(repeats ? "--repeats" : "--label", field,
                               [&](Question&, LabelSpec& label) { label.descriptive = repeats; });
      if (!used) return used;
    }
  }
  if (choice.by.empty()) return ok();
  return each("--by", choice.by, [](Question& question, LabelSpec& label) {
    label.descriptive = false;
    for (AnalyzerConfig& analyzer : question.analyzers) {
      const auto compared = std::ranges::find(analyzer.options, "label", &RawOption::name);
      if (compared == analyzer.options.end() || compared->value.value == decltype(compared->value.value)(label.name))
        continue;
      compared->value.value = label.name;
      std::erase_if(analyzer.options, [](const RawOption& o) { return names_label_values(o.name); });
    }
  });
}

Status check_choice(const RunChoice& choice, const naming::NameRules& rules) {
  std::vector<std::string> known;
  for (const naming::NameLabel& label : rules.labels) known.push_back(label.name);
  const auto missing = [&](const std::string& field) {
    return std::ranges::none_of(known, [&](const std::string& name) { return is_field(field, name); });
  };
  const auto refuse = [&](const char* option, const std::string& field) {
    const std::string near = did_you_mean(field, known);
    return Error{fmt::format("{}: the names have no field '{}'", option, field)}.at(field).advise(
        (known.empty() ? "they have none that differ" : "they have " + listed(known)) +
        (near.empty() ? "" : "." + near));
  };
  for (const std::string& field : choice.labels) {
    if (missing(field)) return refuse("--label", field);
  }
  for (const std::string& field : choice.repeats) {
    if (missing(field)) return refuse("--repeats", field);
  }
  const bool by = choice.by.empty() || choice.by == "role" || !missing(choice.by);
  return by ? ok() : refuse("--by", choice.by);
}

}  // namespace assay
