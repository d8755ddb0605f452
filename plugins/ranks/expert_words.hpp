// Texts from the facts of expert layers.
#pragma once

#include <vector>

#include "words.hpp"

namespace assay::ranks {

/// One finding per job with expert layers whose tokens are uneven; none for balanced ones.
std::vector<Finding> expert_findings(const StudyView& view, const std::vector<JobRun>& jobs);

/// One row per job with expert layers, one per rank of such a job, and one per layer; empty without them.
Table expert_job_table(const StudyView& view, const std::vector<JobRun>& jobs);
Table expert_table(const StudyView& view, const std::vector<JobRun>& jobs);
Table layer_table(const StudyView& view, const std::vector<JobRun>& jobs);

}  // namespace assay::ranks
