// Times of one pass as the device, the host and the program itself saw it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/study.hpp"
#include "estimate.hpp"
#include "program_times.hpp"

namespace assay::timing {

struct ReportTimes {
  std::size_t report = 0;
  /// By metric of the design: the mean of the passes where the program timed them together, else their median. A fact
  /// without samples has its value, whichever it is.
  std::vector<std::optional<Estimate>> traced;
  ProgramTimes program;
};

/// Times of every report of the question that has one of the metrics, by report.
std::vector<ReportTimes> times_of(const StudyView& view, const std::vector<std::string>& metrics,
                                  const Columns& columns);

}  // namespace assay::timing
