// Sentences and the table about what runners wrote down.
#pragma once

#include "assay/output.hpp"
#include "runs.hpp"

namespace assay::runner {

/// `runs` is not empty.
Finding summary(const StudyView& view, const std::vector<RunTimes>& runs, const Outcomes& outcomes);
Table run_table(const StudyView& view, const std::vector<RunTimes>& runs);

}  // namespace assay::runner
