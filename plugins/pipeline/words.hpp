// Texts from the facts of pipelines.
#pragma once

#include <string>
#include <vector>

#include "assay/sdk.hpp"

namespace assay::pipeline {

/// One rank of a pipeline.
struct StageRank {
  std::size_t report = 0;
  std::int64_t stage = 0;
  std::string rank;  ///< number; "?" if unknown
};

/// A job whose ranks are stages; ranks by stage, then by number.
struct PipelineRun {
  std::size_t first = 0;  ///< the report with the job's own facts
  std::string name;       ///< for sentences
  std::vector<StageRank> ranks;
  std::string missing = {};  ///< "rank 2 of 4 is missing": its stages are not known; empty: none is
};

std::vector<PipelineRun> pipelines_of(const StudyView& view);

std::vector<Finding> findings(const StudyView& view, const std::vector<PipelineRun>& runs);
/// One row per job.
Table job_table(const StudyView& view, const std::vector<PipelineRun>& runs);
/// One row per rank.
Table stage_table(const StudyView& view, const std::vector<PipelineRun>& runs);
/// Stage by time for the step of median length, with forward and backward in two colours.
Plot schedule_plot(const StudyView& view, const std::vector<PipelineRun>& runs);

}  // namespace assay::pipeline
