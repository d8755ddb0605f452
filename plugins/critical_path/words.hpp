// What is said of critical paths: the answer, tables and the plot.
#pragma once

#include <string>
#include <vector>

#include "assay/output.hpp"
#include "assay/plot.hpp"
#include "assay/study.hpp"
#include "measure.hpp"

namespace assay::critical {

/// A change for people: "without waits for the device".
std::string change_text(std::string_view change);

/// The path of one report by name: median and spread over iterations, share, slack. At most `rows` names of each kind.
Table path_table(const Measured& measured, std::size_t rows);

/// One report as its facts say.
struct Run {
  std::size_t report = 0;
  std::vector<double> shares;  ///< by replay::Part
  double iteration_ns = 0;
  std::string best;  ///< the change that gains most; empty: none gains more than the drift
  double gain = 0;
  std::vector<std::int64_t> facts;
};
std::vector<Run> runs_of(const StudyView& view);

std::vector<Finding> findings(const StudyView& view, const std::vector<Run>& runs);
Plot path_plot(const StudyView& view, const std::vector<Run>& runs);

}  // namespace assay::critical
