#include "assay/algo/matching.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/words.hpp"

namespace assay {

Matching match_pairs(const StudyView& view, std::string_view label, std::string_view base_value,
                     std::string_view treated_value) {
  const auto tested = view.label(label);
  if (!tested) throw std::invalid_argument("label '" + std::string(label) + "' is not declared");
  const auto value_of = [&](std::size_t report) { return view.label_text(report, label); };
  const auto compared = [&](std::size_t report) {
    const std::string_view value = value_of(report);
    return value == base_value || value == treated_value || !view.label_value(report, *tested);
  };
  RunGrouping alike = alike_groups(view, {{std::string(label)}, {}, compared});
  Matching matching;
  matching.unmatched = std::move(alike.left_out);
  for (std::size_t g = 0; g < alike.groups.size(); ++g) {
    const RunGroup& group = alike.groups[g];
    Stratum stratum{group.labels, group.runs.where([&](std::size_t r) { return value_of(r) == base_value; }),
                    group.runs.where([&](std::size_t r) { return value_of(r) != base_value; })};
    if (!stratum.base.empty() && !stratum.treated.empty()) {
      matching.strata.push_back(std::move(stratum));
      continue;
    }
    const std::string_view missing = stratum.base.empty() ? base_value : treated_value;
    const std::string apart = kept_apart(view, alike.groups, g, [&](const RunGroup& other) {
      return std::ranges::any_of(other.runs, [&](std::size_t r) { return value_of(r) == missing; });
    });
    const std::string reason = filled("no run with {}={} to compare with", {std::string(label), std::string(missing)});
    for (const std::size_t r : group.runs)
      matching.unmatched.push_back({r, reason + (apart.empty() ? "" : ": " + apart), apart});
  }
  std::ranges::sort(matching.unmatched,
                    [](const UnmatchedReport& x, const UnmatchedReport& y) { return x.report < y.report; });
  return matching;
}

std::vector<LabelPair> label_pairs(const StudyView& view, std::string_view label, std::string_view base,
                                   std::vector<std::string> treated) {
  const std::vector<std::string> values = view.values_of(label);
  if (base.empty() && values.empty()) return {};
  const std::string first(base.empty() ? values.front() : base);
  if (treated.empty()) treated = values;
  std::erase(treated, first);
  std::vector<LabelPair> out;
  for (std::string& value : treated) out.push_back({std::string(label), first, std::move(value)});
  return out;
}

PairMatching match_pairs(const StudyView& view, const std::vector<LabelPair>& pairs) {
  PairMatching out;
  std::map<std::size_t, UnmatchedReport> alone;
  for (const LabelPair& pair : pairs) {
    Matching matching = match_pairs(view, pair.label, pair.base, pair.treated);
    for (UnmatchedReport& u : matching.unmatched) alone.emplace(u.report, u);
    out.strata.push_back(std::move(matching.strata));
  }
  for (const std::vector<Stratum>& strata : out.strata) {
    for (const Stratum& stratum : strata) {
      for (const auto* side : {&stratum.base, &stratum.treated}) {
        for (const std::size_t report : *side) alone.erase(report);
      }
    }
  }
  for (auto& [report, unmatched] : alone) out.unmatched.push_back(std::move(unmatched));
  return out;
}

}  // namespace assay
