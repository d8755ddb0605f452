// Facts, issues and tables of one job.
#pragma once

#include "straggler.hpp"

namespace assay::ranks {

/// Everything that is said of a job whose collectives were matched; `with_matches`: also the tables of timeline.hpp.
void emit_job(const JobRows& job, const Matches& matches, const NamingRule& rule, bool with_matches, JobSink& sink);

/// Greatest period over the ranks, of each step from the second to the last but one. Needs no collectives.
void emit_period(const JobRows& job, const Matches& matches, JobSink& sink);

}  // namespace assay::ranks
