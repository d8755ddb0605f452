// What the facts of the jobs say, in words.
#pragma once

#include <string>
#include <vector>

#include "assay/sdk.hpp"

namespace assay::ranks {

/// A job with what is known of it; ns.
struct JobRun {
  std::vector<std::size_t> reports;  ///< its ranks that are there, by report
  std::size_t first = 0;             ///< the report that has the job's own facts
  std::string name;                  ///< for sentences
  std::size_t world = 0;             ///< 0: not known
};

/// Jobs of the question with at least one rank that has facts of the job.
std::vector<JobRun> jobs_of(const StudyView& view);

/// Of each job: who waits for whom, or that nobody does; and which ranks are missing or there twice.
std::vector<Finding> findings(const StudyView& view, const std::vector<JobRun>& jobs);

Table job_table(const StudyView& view, const std::vector<JobRun>& jobs);
/// One lane a rank: own time and exposed wait of the mean step.
Plot lanes_plot(const StudyView& view, const std::vector<JobRun>& jobs);
/// Exposed wait by step, a line a rank.
Plot waits_plot(const StudyView& view, const std::vector<JobRun>& jobs);
/// Bus bandwidth against the size of messages, with a level: `link`, bytes/s, or where that is 0 the highest measured.
Plot bandwidth_plot(const StudyView& view, const std::vector<JobRun>& jobs, double link);

}  // namespace assay::ranks
