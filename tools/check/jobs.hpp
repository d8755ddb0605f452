// Synthetic jobs of several ranks, for analyzers with a stage `gather`.
#pragma once

#include <vector>

#include "check/checks.hpp"
#include "check/subject.hpp"

namespace assay::check {

/// Output of `gather` by rank, for a job with this many ranks that have data in every table.
std::vector<AnalyzerOutput> gathered(const Subject& subject, int ranks);

CaseReply gathered_twice(const Subject& subject);

}  // namespace assay::check
