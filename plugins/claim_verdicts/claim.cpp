#include "claim.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::claims {
namespace {

std::vector<std::string> strings(std::span<const Str> texts) {
  std::vector<std::string> out;
  for (const Str& text : texts) out.emplace_back(text.view());
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

}  // namespace

void check(const Options& keys) {
  const auto require = [](bool holds, const char* sentence) {
    if (!holds) throw std::invalid_argument(sentence);
  };
  const auto range = keys.numbers("between");
  require(!keys.metric("metric").empty(), "'metric' is missing: name the metric that the claim is judged on");
  require(range.size() == 2 && range[0] <= range[1],
          "'between' must be two numbers, the lower first, e.g. between = [0.6, 0.7]");
  const std::string_view compare = keys.text("compare");
  const auto treated = keys.texts("treated");
  const bool pairs = !keys.label("label").empty() && !keys.text("base").empty() && !treated.empty();
  const bool exact = keys.boolean("exact"), spread = !keys.metric("spread").empty();
  require(spread == !keys.metric("degrees").empty(), "'spread' and 'degrees' go together: name both metrics or none");
  require(compare == "study" || !spread, "'spread' and 'degrees' belong to compare = \"study\": remove them");
  require(compare == "study" || compare == "level" || !exact,
          "'exact' belongs to compare = \"study\" and \"level\": remove it");
  require(!exact || !spread, "a claim is 'exact' or has a 'spread', not both");
  if (compare == "study") {
    require(
        keys.label("label").empty() && keys.text("base").empty() && treated.empty() && keys.conditions("where").empty(),
        "compare = \"study\" judges facts of the study: select them by 'dims' and remove 'where', 'label', 'base' "
        "and 'treated'");
    return;
  }
  if (compare == "level") {
    require(keys.label("label").empty() && keys.text("base").empty() && treated.empty(),
            "compare = \"level\" judges single runs: remove 'label', 'base' and 'treated', or compare = \"ratio\"");
  } else {
    require(pairs, "compare = \"ratio\" and \"step\" need 'label', 'base' and 'treated'");
  }
  if (compare == "step") require(treated.size() == 1, "compare = \"step\" has one level after the step in 'treated'");
}

Claim::Claim(const Options& keys, std::size_t claim_row, std::string_view claim_id)
    : row(claim_row),
      id(claim_id),
      metric(keys.metric("metric")),
      dims(keys.text("dims")),
      low(keys.numbers("between")[0]),
      high(keys.numbers("between")[1]),
      label(keys.label("label")),
      base(keys.text("base")),
      treated(strings(keys.texts("treated"))),
      per(strings(keys.labels("per"))),
      block(strings(keys.labels("block"))),
      spread(keys.metric("spread")),
      degrees(keys.metric("degrees")),
      exact(keys.boolean("exact")) {
  const std::string_view kind = keys.text("compare");
  compare = kind == "level"   ? Compare::kLevel
            : kind == "ratio" ? Compare::kRatio
            : kind == "step"  ? Compare::kStep
                              : Compare::kStudy;
  for (const Str& text : keys.conditions("where")) {
    const std::size_t equals = text.view().find('=');
    where.push_back({std::string(text.view().substr(0, equals)), split(text.view().substr(equals + 1), '|')});
  }
}

bool meets(const StudyView& view, std::size_t report, const std::vector<Condition>& where) {
  return std::all_of(where.begin(), where.end(), [&](const Condition& condition) {
    const auto value = view.label_text(report, condition.label);
    return std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end();
  });
}

}  // namespace assay::claims
