// Tables for `assay timeline`: the clocks of the ranks, and the kernels of each message on both sides.
#pragma once

#include "rows.hpp"

namespace assay::pipeline {

/// `by`: per step, the offset already added to its times.
void emit_timeline(const JobRows& job, const std::vector<stages::Alignment>& by, JobSink& sink);

}  // namespace assay::pipeline
