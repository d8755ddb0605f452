// Texts about critical paths: the answer, tables and the plot.
#pragma once

#include <string>
#include <vector>

#include "assay/output.hpp"
#include "assay/plot.hpp"
#include "assay/study.hpp"
#include "measure.hpp"

namespace assay::critical {

inline constexpr std::string_view kNameRatio = "critical_path.name_time_ratio";

/// The path of one report by name: median and spread over iterations, share, slack. At most `rows` names per kind.
Table path_table(const PathMeasurement& measured, std::size_t rows);

/// The names of a path with the most time; the rest of each part is combined in one entry, kOtherNames.
std::vector<replay::PathPartEntry> largest_names(const std::vector<replay::PathPartEntry>& parts, std::size_t names);
inline constexpr std::string_view kOtherNames = "(other)";

/// One report, restored from its facts.
struct Run {
  std::size_t report = 0;
  std::vector<double> shares;  ///< by replay::Part
  struct NameShares {
    std::string name;
    std::vector<double> shares;  ///< by replay::Part
    double sum = 0;
  };
  std::vector<NameShares> names;  ///< largest first, the rest combined at the end
  double iteration_ns = 0;
  std::string best;  ///< the lever with the largest gain; empty: none exceeds the drift
  double gain = 0;
  std::vector<std::int64_t> facts, name_facts;
};
std::vector<Run> runs_of(const StudyView& view);

std::vector<Finding> findings(const StudyView& view, const std::vector<Run>& runs);
Plot path_plot(const StudyView& view, const std::vector<Run>& runs);
/// The names on the paths of the first reports.
Plot names_plot(const StudyView& view, const std::vector<Run>& runs);

}  // namespace assay::critical
