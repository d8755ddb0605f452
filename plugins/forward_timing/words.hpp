// Sentences and the table about the times of a pass.
#pragma once

#include "assay/output.hpp"
#include "times.hpp"

namespace assay::timing {

struct Design {
  std::vector<std::string> metrics;  ///< of the trace
  std::string host;                  ///< the one of them that is host time
  std::string device;                ///< the one that is GPU time
  Columns columns;
  double within = 0, open_above = 0;  ///< see `agreement`
};

Finding answer(const Design& design, const std::vector<ReportTimes>& times, double level);
/// Of reports with a program's own time: how it stands to each traced time.
std::vector<Finding> evidence(const StudyView& view, const Design& design, const std::vector<ReportTimes>& times);
Table time_table(const StudyView& view, const Design& design, const std::vector<ReportTimes>& times);

}  // namespace assay::timing
