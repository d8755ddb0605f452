// Facts, issues and tables of one job.
#pragma once

#include "rows.hpp"

namespace assay::pipeline {

/// When a stage is named as the limit.
struct NamingRule {
  double least_excess = 0;  ///< of its compute over the mean of the other stages, a share
  double false_names = 0;   ///< probability of naming a stage of a pipeline with equal stages
};

/// All results for a job with messages; a skip if its ranks are not a pipeline. `with_matches`: also the tables of
/// timeline.hpp.
void emit_job(JobRows& job, const NamingRule& rule, bool with_matches, JobSink& sink);

}  // namespace assay::pipeline
