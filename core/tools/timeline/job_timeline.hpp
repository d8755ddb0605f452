// Which reports a timeline shows, and what is known of their ranks.
#pragma once

#include <atomic>

#include "catalog/catalog.hpp"
#include "plugins/plugins.hpp"
#include "timeline/job_clocks.hpp"

namespace assay {

/// Reports that a timeline is asked for.
struct TimelineReports {
  std::vector<FoundFile> files;    ///< by rank, then name
  std::vector<std::string> ranks;  ///< of each: "3"; empty: it is no rank of a job of several
};

/// The reports at these places: files, and in the place of a folder the reports below it. Error: a place that is not
/// there, what is no report, a folder without any, or reports that are no one job; it says which jobs there are.
Result<TimelineReports> timeline_reports(const std::vector<std::filesystem::path>& places);

/// Matches the collectives of a job's ranks and compares their clocks with the analyzer `ranks`. What is to be said of
/// a report goes to `remarks`, in the order of the reports.
Result<JobClocks> compare_ranks(const TimelineReports& job, const IterationSpec& iterations,
                                const std::vector<std::filesystem::path>& plugin_paths, unsigned jobs,
                                const std::atomic<bool>& stop, std::vector<std::vector<std::string>>& remarks);

}  // namespace assay
