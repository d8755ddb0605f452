// Facts, issues and tables of one job.
#pragma once

#include "straggler.hpp"

namespace assay::ranks {

/// All results for a job with matched collectives; `with_matches`: also the tables of timeline.hpp.
void emit_job(const JobRows& job, const Matches& matches, const NamingRule& rule, bool with_matches, JobSink& sink);

/// Longest period over the ranks, for each step from the second to the last but one. Does not need collectives.
void emit_period(const JobRows& job, const Matches& matches, JobSink& sink);

}  // namespace assay::ranks
