// Texts from the facts of the jobs.
#pragma once

#include <string>
#include <vector>

#include "assay/sdk.hpp"

namespace assay::ranks {

/// A job with its known values; ns.
struct JobRun {
  std::vector<std::size_t> reports;  ///< its present ranks, by report
  std::size_t first = 0;             ///< the report with the job's own facts
  std::string name;                  ///< for sentences
  std::size_t world = 0;             ///< 0: not known
};

/// Jobs of the question with at least one rank that has facts of the job.
std::vector<JobRun> jobs_of(const StudyView& view);

/// For each job: which ranks wait for which, or that none does; and which ranks are missing or duplicated.
std::vector<Finding> findings(const StudyView& view, const std::vector<JobRun>& jobs);

Table job_table(const StudyView& view, const std::vector<JobRun>& jobs);
/// One lane per rank: own time and exposed wait of the mean step.
Plot lanes_plot(const StudyView& view, const std::vector<JobRun>& jobs);
/// Exposed wait by step, one line per rank.
Plot waits_plot(const StudyView& view, const std::vector<JobRun>& jobs);
/// Bus bandwidth against message size, with a reference level: `link`, bytes/s, or if that is 0 the highest measured
/// value.
Plot bandwidth_plot(const StudyView& view, const std::vector<JobRun>& jobs, double link);

}  // namespace assay::ranks
