// Texts about memory over all reports of a question.
#pragma once

#include <string>
#include <vector>

#include "assay/plot.hpp"
#include "assay/study.hpp"

namespace assay::memory {

/// A report with allocations.
struct Run {
  std::size_t report = 0;
  double peak = 0;  ///< bytes
  std::int64_t peak_fact = 0;
  std::vector<std::size_t> classes;  ///< facts of memory.class_bytes
};
std::vector<Run> runs_of(const StudyView& view);

/// The answer first.
std::vector<Finding> findings(const StudyView& view, const std::vector<Run>& runs);

/// One for each report whose peak is not known, with the reason.
std::vector<Finding> unknown_peaks(const StudyView& view, bool are_answers);

/// Live bytes over the history, by class. `named`: id and title include the report.
Plot live_plot(const StudyView& view, const Run& run, bool named);

}  // namespace assay::memory
