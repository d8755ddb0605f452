// Tables and sentences.
#pragma once

#include <vector>

#include "assay/output.hpp"
#include "assay/study.hpp"
#include "bounds.hpp"

namespace assay::bound {

/// One row per kernel and launch shape, longest first.
Table kernel_table(const Bounds& bounds);

/// One report, restored from its facts.
struct RunBounds {
  std::size_t report = 0;
  bool joined = false;
  double profiled_share = 0;                                ///< of the GPU time of a report; 1 without a report
  double profiled = 0;                                      ///< launches measured by ncu
  BoundTimes shares;                                        ///< of the time
  std::vector<std::pair<std::string, BoundTimes>> classes;  ///< shares of each class's own time
  std::vector<std::int64_t> evidence;
};

/// The question's own reports with counters.
std::vector<RunBounds> runs_of(const StudyView& view);

/// One finding per report.
std::vector<Finding> findings(const StudyView& view, const std::vector<RunBounds>& runs, double threshold);

/// One row per profile and class.
Table class_table(const StudyView& view, const std::vector<RunBounds>& runs);

}  // namespace assay::bound
