// Sweeps: the reports that differ in one ordered label only, level by level.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/algo/matching.hpp"

namespace assay {

/// One value of the swept label; several runs are replicates.
struct SweepLevel {
  std::string text;
  double order = 0;  ///< of a numeric label its value, else its place among the values
  Runs reports;
};

/// Reports equal in every other label that does not only describe.
struct LabelSweep {
  std::vector<std::pair<std::string, std::string>> labels;  ///< those that are equal, in the order of the TOML
  std::vector<SweepLevel> levels;                           ///< ascending
  Runs runs;                                                ///< of all levels
};

/// All sweeps along `axis` over the question's reports, by label order values; also those of one level only. Reports
/// without the label and those that are not believed are added to `left_out`. Noise reports take no part. Throws
/// std::invalid_argument for a label that is not declared.
std::vector<LabelSweep> sweeps_along(const StudyView& view, std::string_view axis, std::vector<UnmatchedReport>& left_out);

}  // namespace assay
