// Between analyze and conclude, gather: what `analyze` emitted of each rank of a job, job by job. The reports are gone
// by then; the rows that it needs of them are in their results, and go when they have been gathered.
#pragma once

#include "analyze/report_sink.hpp"
#include "conclude/conclude.hpp"

namespace assay {

class ResultCache;

struct GatherSettings {
  unsigned jobs = 0;                          ///< jobs at a time; 0: one a core
  const ResultCache* cache = nullptr;         ///< what is remembered; null: nothing
  const process::Limits* isolated = nullptr;  ///< null: in this process, without limits
  const std::atomic<bool>* stop = nullptr;    ///< of processes of their own
};

/// Calls `gather` of every analyzer of the question that has one, once for each job: the reports of one job by
/// StudyReportTable::job, also where only one rank of several is there. What it gives joins the results of the ranks'
/// reports, the job's own that of its first. An analyzer that fails loses its own outputs of this stage and no other's.
/// Results do not depend on the settings, unless an analyzer crashes or takes more than `isolated` allows.
void gather(const AnalyzedQuestion& question, const Analyzers& analyzers, const GatherSettings& settings = {});

/// What `gather` of one analyzer gives for a job whose rank 0 is the first of `ranks`, by rank.
std::vector<AnalyzerOutput> gather_ranks(const Descriptor& declared, const Analyzer& analyzer,
                                         const std::vector<ReportResult>& ranks);

}  // namespace assay
