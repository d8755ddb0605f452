#include "assay/algo/sweeps.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/words.hpp"

namespace assay {

std::vector<LabelSweep> sweeps_along(const StudyView& view, std::string_view axis,
                                     std::vector<UnmatchedReport>& left_out) {
  const auto swept = view.label(axis);
  if (!swept) throw std::invalid_argument("label '" + std::string(axis) + "' is not declared");
  RunGrouping alike = alike_groups(view, {{std::string(axis)}});
  left_out.insert(left_out.end(), alike.left_out.begin(), alike.left_out.end());
  const LabelValueTable& values = *view.study().label_values;
  const auto order_of = [&](std::size_t report) { return values.order[*view.label_value(report, *swept)]; };
  std::vector<LabelSweep> out;
  for (std::size_t g = 0; g < alike.groups.size(); ++g) {
    const RunGroup& group = alike.groups[g];
    std::map<double, SweepLevel> levels;
    for (const std::size_t r : group.runs) {
      SweepLevel& level = levels[order_of(r)];
      level.text = values.text[*view.label_value(r, *swept)].view();
      level.order = order_of(r);
    }
    LabelSweep& sweep = out.emplace_back(LabelSweep{group.labels, {}, group.runs});
    for (auto& [order, level] : levels) {
      level.reports = group.runs.where([&, at = order](std::size_t r) { return order_of(r) == at; });
      sweep.levels.push_back(std::move(level));
    }
    if (sweep.levels.size() > 1) continue;
    const double only = sweep.levels.front().order;
    const std::string apart = kept_apart(view, alike.groups, g, [&](const RunGroup& other) {
      return std::any_of(other.runs.begin(), other.runs.end(), [&](std::size_t r) { return order_of(r) != only; });
    });
    if (apart.empty()) continue;
    for (const std::size_t r : group.runs)
      left_out.push_back({r, filled("no run with another {} to compare with: {}", {std::string(axis), apart}), apart});
  }
  return out;
}

}  // namespace assay
