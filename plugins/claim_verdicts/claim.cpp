#include "claim.hpp"

#include <stdexcept>

namespace assay::claims {
void check(const Options& keys) {
  const auto require = [](bool holds, const char* sentence) {
    if (!holds) throw std::invalid_argument(sentence);
  };
  const auto range = keys.numbers("between");
  require(!keys.metric("metric").empty(), "'metric' is missing: name the metric that the claim is judged on");
  const std::string_view compare = keys.text("compare");
  const bool best = compare == "best";
  require(best || (range.size() == 2 && range[0] <= range[1]),
          "'between' must be two numbers, the lower first, e.g. between = [0.6, 0.7]");
  require(!best || range.empty(), "compare = \"best\" claims no range: remove 'between', 'margin' says what is equal");
  const auto treated = keys.texts("treated");
  const bool exact = keys.boolean("exact"), spread = !keys.metric("spread").empty();
  require(spread == !keys.metric("degrees").empty(), "'spread' and 'degrees' go together: name both metrics or none");
  require(compare == "study" || !spread, "'spread' and 'degrees' belong to compare = \"study\": remove them");
  require(compare == "study" || compare == "level" || !exact,
          "'exact' belongs to compare = \"study\" and \"level\": remove it");
  require(!exact || !spread, "a claim is 'exact' or has a 'spread', not both");
  require(compare == "ratio" || keys.text("over") == "each",
          "'over' belongs to compare = \"ratio\": it says whether the claim is about each pair, their mean or most of "
          "them");
  require(compare == "ratio" || keys.metric("work").empty(),
          "'work' belongs to compare = \"ratio\": it says which runs of a pair did the same work");
  const double predicted = keys.number("predicted");
  require(predicted == 0 || (compare == "ratio" && range[0] <= predicted && predicted <= range[1]),
          "'predicted' belongs to compare = \"ratio\" and lies inside 'between'");
  require(predicted != 0 || keys.texts("change").empty(), "'change' belongs to 'predicted': name both or none");
  if (best) {
    require(!keys.label("label").empty() && keys.text("base").empty() && treated.empty(),
            "compare = \"best\" needs 'label', whose values race, and neither 'base' nor 'treated'");
    return;
  }
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
    require(!keys.label("label").empty(), "compare = \"ratio\" and \"step\" need 'label', whose values are compared");
  }
  if (compare == "step") require(treated.size() <= 1, "compare = \"step\" has one level after the step in 'treated'");
}

Claim::Claim(const Options& keys, std::size_t claim_row, std::string_view claim_id)
    : row(claim_row),
      id(claim_id),
      metric(keys.metric("metric")),
      dims(keys.text("dims")),
      margin(keys.number("margin")),
      where(conditions_of(keys.conditions("where"))),
      label(keys.label("label")),
      base(keys.text("base")),
      treated(keys.strings("treated")),
      work(keys.metric("work")),
      per(keys.strings("per")),
      block(keys.strings("block")),
      spread(keys.metric("spread")),
      degrees(keys.metric("degrees")),
      exact(keys.boolean("exact")) {
  const std::string_view kind = keys.text("compare");
  compare = kind == "level"   ? Compare::kLevel
            : kind == "ratio" ? Compare::kRatio
            : kind == "step"  ? Compare::kStep
            : kind == "best"  ? Compare::kBest
                              : Compare::kStudy;
  if (const auto range = keys.numbers("between"); range.size() == 2) {
    low = range[0];
    high = range[1];
  }
  const std::string_view of = keys.text("over");
  over = of == "mean" ? Over::kMean : of == "most" ? Over::kMax : Over::kEach;
}

}  // namespace assay::claims
