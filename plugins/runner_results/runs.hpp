// What a runner wrote down of each report's run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assay/sheets.hpp"

namespace assay::runner {

/// One report's run. A report that no runner knows has none.
struct RunTimes {
  std::size_t report = 0;            ///< row of reports
  std::string source;                ///< the runner's files that say so
  std::optional<double> process_ns;  ///< of the whole process
  std::optional<double> pass_ns;     ///< of the measured pass
  std::optional<double> per_second;  ///< throughput as the program computes it
  std::optional<double> batches;     ///< in the measured pass
};

/// Runs of reports of the question, sorted by report. Of several files that know a run the first that gives a value
/// counts: the host lists those nearest to the report first.
std::vector<RunTimes> runs_of(const StudyView& view);

/// Runs that the runners of the question wrote down, with those that left no report.
struct Outcomes {
  std::size_t succeeded = 0;  ///< not said to have failed, and with a time or a throughput
  std::size_t failed = 0;
  std::size_t unknown = 0;  ///< neither: only a name and settings are written down
};

/// Several files that speak of one report, or without reports of one run name, are one run; it failed when any says so.
Outcomes outcomes_of(const StudyView& view);

/// Both times are known and the measured pass takes longer than the process that it is a part of.
bool impossible(const RunTimes& run);

}  // namespace assay::runner
