// Stage between analyze and conclude, gather: combines what `analyze` emitted for the ranks, job by job. The reports
// are unloaded by then; the rows it needs are in their results and are dropped afterwards.
#pragma once

#include "analyze/report_sink.hpp"
#include "conclude/conclude.hpp"

namespace assay {

class ResultCache;

struct GatherSettings {
  unsigned jobs = 0;                          ///< jobs in parallel; 0: one per core
  const ResultCache* cache = nullptr;         ///< null: no cache
  const process::Limits* isolated = nullptr;  ///< null: in this process, without limits
  const std::atomic<bool>* stop = nullptr;    ///< for isolated processes
};

/// Calls `gather` of every analyzer that has one, once per job: reports with equal StudyReportTable::job, even if only
/// one rank of several is present. Its output is added to the results of the ranks' reports; that of the job to its
/// first report. An analyzer that fails loses only its own outputs of this stage. Settings do not affect results,
/// unless an analyzer crashes or exceeds the limits of `isolated`.
void gather(const AnalyzedQuestion& question, const Analyzers& analyzers, const GatherSettings& settings = {});

/// Output of `gather` of one analyzer by rank, for a job whose rank 0 is the first of `ranks`.
std::vector<AnalyzerOutput> gather_ranks(const Descriptor& declared, const Analyzer& analyzer,
                                         const std::vector<ReportResult>& ranks);

}  // namespace assay
