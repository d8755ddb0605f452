// Tables that `assay timeline` draws: the clocks of the ranks, and the kernels of each message on both sides.
#pragma once

#include "rows.hpp"

namespace assay::pipeline {

/// `by`: of each step, what was added to its times already.
void emit_timeline(const JobRows& job, const std::vector<stages::Alignment>& by, JobSink& sink);

}  // namespace assay::pipeline
