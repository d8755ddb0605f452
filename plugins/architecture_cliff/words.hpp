// Texts of the findings and tables of architecture_cliff.
#pragma once

#include "assay/output.hpp"
#include "rival.hpp"
#include "shape.hpp"

namespace assay::cliff {

/// Names used in the texts.
struct Names {
  std::string metric, axis;
  std::string numerator, denominator;  ///< of the rival's score
  Thresholds thresholds;
  double level = 0.95;  ///< of the question
  std::string unit{};   ///< of the metric; shares are read in percent
};

/// The answer: the shape of every stratum in one sentence each, then which runs are launch-bound.
Finding answer(const Names& names, const std::vector<Sweep>& sweeps, const std::vector<Shape>& shapes,
               const std::optional<Rival>& rival);

/// The fit of one stratum.
Finding stratum_finding(const Names& names, const Sweep& sweep, const Shape& shape);

/// Compares axis and launch-bound state by their numbers of errors.
Finding rival_finding(const Names& names, const std::vector<Sweep>& sweeps, const std::vector<Shape>& shapes,
                      const Rival& rival);

/// One row per stratum and level: number of runs and smallest, median and largest value of the metric.
Table level_table(const StudyView& view, const Names& names, const std::vector<Sweep>& sweeps);

}  // namespace assay::cliff
