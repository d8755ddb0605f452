// What `look` draws, and the answer of a question.
#pragma once

#include "assay/sdk.hpp"
#include "rule.hpp"

namespace assay::hang {

/// Dumps of one job, and where they were found.
struct FoundJob {
  std::string folder;                ///< empty: of all reports
  std::vector<std::size_t> reports;  ///< of the study
  Job job;
  Verdict verdict;
  std::vector<std::string> last_work;  ///< sentences about profiles of the ranks at fault
};

/// Jobs of the reports with a dump: all of them, or if these cannot be one job, those of each folder.
std::vector<FoundJob> jobs_of(const StudyView& view);

void emit_jobs(const StudyView& view, const std::vector<FoundJob>& jobs, StudySink& sink);

}  // namespace assay::hang
