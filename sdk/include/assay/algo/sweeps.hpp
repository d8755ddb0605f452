// Sweeps: reports that differ only in one ordered label, by level.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/matching.hpp"

namespace assay {

/// One value of the swept label; several runs are repeats.
struct SweepLevel {
  std::string text;
  double order = 0;  ///< value of a numeric label, else the rank of its value
  Runs reports;      ///< never empty
};

/// Reports with equal labels except the swept and descriptive ones.
struct LabelSweep {
  std::vector<std::pair<std::string, std::string>> labels;  ///< equal labels, in TOML order
  std::vector<SweepLevel> levels;                           ///< ascending by `order`; at least one
  Runs runs;                                                ///< of all levels
};

/// All sweeps along `axis` over the question's reports, by label order values, including those with a single level.
/// Appends reports without the label, those that are not believed, and those of a single level whose other levels are
/// kept apart to `left_out`. Ignores noise reports. Throws std::invalid_argument for an undeclared label.
std::vector<LabelSweep> sweeps_along(const StudyView& view, std::string_view axis,
                                     std::vector<UnmatchedReport>& left_out);

}  // namespace assay
