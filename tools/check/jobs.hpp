// Made-up jobs of several ranks, for analyzers with a stage `gather`.
#pragma once

#include <vector>

#include "check/checks.hpp"
#include "check/subject.hpp"

namespace assay::check {

/// What `gather` gives for a job of so many ranks, each with something in every table, by rank.
std::vector<AnalyzerOutput> gathered(const Subject& subject, int ranks);

CaseReply gathered_twice(const Subject& subject);

}  // namespace assay::check
