// Sweeps: the reports that differ in one ordered label only, level by level.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/matching.hpp"

namespace assay {

/// One value of the swept label; several reports are replicates, or ranks of one job (rows of
/// Study::reports, ascending).
struct SweepLevel {
  std::string text;
  double order = 0;  ///< of a numeric label its value, else its place among the values
  std::vector<std::size_t> reports;
};

/// Reports equal in every other label that does not only describe.
struct LabelSweep {
  std::vector<std::pair<std::string, std::string>> labels;  ///< those that are equal, in the order of the TOML
  std::vector<SweepLevel> levels;                           ///< ascending
};

/// All sweeps along `axis` over the question's reports, by label order values; also those of one level only. Reports
/// without the label and those that are not believed are added to `left_out`. Noise reports take no part. Throws
/// std::invalid_argument for a label that is not declared.
inline std::vector<LabelSweep> sweeps_along(const StudyView& view, std::string_view axis,
                                            std::vector<Unmatched>& left_out) {
  const auto swept = view.label(axis);
  if (!swept) throw std::invalid_argument("label '" + std::string(axis) + "' is not declared");
  struct Group {
    LabelSweep sweep;
    std::map<double, SweepLevel> levels;
  };
  std::map<detail::LabelKey, Group> groups;
  for (std::size_t r = 0; r < view.report_count(); ++r) {
    if (view.is_noise(r)) continue;
    const auto row = view.label_value(r, *swept);
    if (!row) {
      left_out.push_back({r, "it has no value of the label " + std::string(axis)});
      continue;
    }
    if (!view.believed(r)) {
      left_out.push_back({r, std::string(view.doubt(r))});
      continue;
    }
    const LabelValueTable& values = *view.study().label_values;
    Group& group = groups[detail::key_without(view, r, *swept)];
    if (group.levels.empty()) group.sweep.labels = detail::labels_without(view, r, *swept);
    SweepLevel& level = group.levels[values.order[*row]];
    level.text = values.text[*row].view();
    level.order = values.order[*row];
    level.reports.push_back(r);
  }
  std::vector<LabelSweep> out;
  for (auto& [key, group] : groups) {
    for (auto& [order, level] : group.levels) group.sweep.levels.push_back(std::move(level));
    out.push_back(std::move(group.sweep));
  }
  return out;
}

}  // namespace assay
