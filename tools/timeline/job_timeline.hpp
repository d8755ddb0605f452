// Selects the reports of a timeline, and determines their ranks.
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
  std::size_t aligned = 0;         ///< number of ranks on the clock of the first, including it
};

/// From the tables `clocks` and `matched` (null: missing, and no clock is aligned). `reports`: names of the ranks'
/// reports, in result order. Error (exit 3): the tables are not those of the analyzer `ranks`.
Result<JobClocks> job_clocks(const OwnedTable* clocks, const OwnedTable* matched,
                             const std::vector<std::string>& reports);

/// Reports requested for a timeline.
struct TimelineReports {
  Catalog catalog;                  ///< entries by rank, then name
  std::vector<ProfileFiles> files;  ///< of each entry
  std::vector<std::string> ranks;   ///< of each: "3"; empty: not a rank of a job of several
  std::size_t world = 0;            ///< number of ranks of the job, with those that have no report; 0: unknown
};

/// Reports at `places`; a folder means all reports below it. Error if a place does not exist, is not a report or
/// contains none, or if the reports are not of one job; it lists the jobs found.
Result<TimelineReports> timeline_reports(const std::vector<std::filesystem::path>& places);

/// Matches the collectives of a job's ranks and compares their clocks with the analyzer `ranks`. Adds remarks on
/// reports to `remarks`, in report order.
Result<JobClocks> compare_ranks(const TimelineReports& job, const IterationSpec& iterations,
                                const std::vector<std::filesystem::path>& plugin_paths, unsigned jobs,
                                const std::atomic<bool>& stop, std::vector<std::vector<std::string>>& remarks);

}  // namespace assay
