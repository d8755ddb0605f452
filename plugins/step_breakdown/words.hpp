// Sentences and tables of the study.
#pragma once

#include <vector>

#include "advice.hpp"
#include "assay/output.hpp"

namespace assay::step {

/// What the time of a step is spent on: one answer per report, or one for all and a table if there are more than
/// eight.
std::vector<Finding> where_steps_go(const std::vector<Run>& runs);

/// One finding for every rule that holds in a run, and one that says what the other rules found.
std::vector<Finding> advice(const std::vector<Run>& runs, const Thresholds& thresholds);

/// One row per profile.
Table run_table(const StudyView& view, const std::vector<Run>& runs);
/// One row for every rule and report in which it holds.
Table advice_table(const StudyView& view, const std::vector<Run>& runs, const Thresholds& thresholds);

}  // namespace assay::step
