// Which reports a timeline shows, and what is known of their ranks.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "analyze/facts.hpp"
#include "plugins/plugins.hpp"
#include "recognise/profiles.hpp"
#include "result.hpp"
#include "timeline/chrome_trace.hpp"

namespace assay {

struct JobClocks {
  std::vector<RankInTrace> ranks;  ///< process and name are not set
  std::int64_t collectives = 0;    ///< numbered from 1
  std::size_t aligned = 0;         ///< ranks on the clock of the first, that one included
};

/// From the tables `clocks` and `matched` (null: there is none, and no clock is aligned). `reports`: names of the
/// ranks' reports, in the order of the result. Error (exit 3): the tables are not as `ranks` emits them.
Result<JobClocks> job_clocks(const OwnedTable* clocks, const OwnedTable* matched,
                             const std::vector<std::string>& reports);

/// Reports that a timeline is asked for.
struct TimelineReports {
  Catalog catalog;                  ///< entries by rank, then name
  std::vector<ProfileFiles> files;  ///< of each entry
  std::vector<std::string> ranks;   ///< of each: "3"; empty: it is no rank of a job of several
};

/// The profiles at these places. Error: a place that is not there, what is no profile, a folder without any, or
/// profiles that are not of one job; it says which jobs there are.
Result<TimelineReports> timeline_reports(const std::vector<std::filesystem::path>& places);

/// Matches the collectives of a job's ranks and compares their clocks with the analyzer `ranks`. What is to be said of
/// a report goes to `remarks`, in the order of the reports.
Result<JobClocks> compare_ranks(const TimelineReports& job, const IterationSpec& iterations,
                                const std::vector<std::filesystem::path>& plugin_paths, unsigned jobs,
                                const std::atomic<bool>& stop, std::vector<std::vector<std::string>>& remarks);

}  // namespace assay
