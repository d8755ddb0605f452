// The runs of a question as observations of one metric along one ordered label, by stratum.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/algo/matching.hpp"
#include "assay/study.hpp"

namespace assay::cliff {

/// One run: its position on the axis, its block and its value.
struct Observation {
  std::size_t report = 0;  ///< row of Study::reports
  std::int64_t fact = 0;   ///< row of Study::facts
  std::size_t level = 0;   ///< index into Sweep::levels
  std::size_t block = 0;   ///< index of its combination of block labels
  double value = 0;
};

/// All runs of one stratum.
struct Sweep {
  std::vector<std::pair<std::string, std::string>> labels;  ///< of the stratum
  std::vector<std::string> levels;                          ///< texts of the axis values, in order
  std::size_t blocks = 0;
  std::vector<Observation> runs;  ///< sorted by level, then report
  std::string apart{};            ///< the difference that excludes other runs of these strata (kept_apart); may be
                                  ///< empty

  /// Smallest and largest value among the runs of a level.
  [[nodiscard]] std::pair<double, double> range(std::size_t level) const;
};

/// Groups the runs of the question that have the metric and the labels of axis, strata and blocks into sweeps of
/// similar runs (alike.hpp). The ranks of a job count as one run. Runs in no sweep are added to `left_out`.
std::vector<Sweep> sweeps(const StudyView& view, std::string_view metric, std::string_view axis,
                          std::span<const std::string> strata, std::span<const std::string> block,
                          std::vector<UnmatchedReport>& left_out);

/// The labels, other than `strata`, that distinguish the sweeps, as a list; empty if the runs differ only in the
/// strata.
std::string labels_beyond(const std::vector<Sweep>& sweeps, const std::vector<std::string>& strata);

}  // namespace assay::cliff
