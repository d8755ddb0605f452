// What the comparison says to people.
#pragma once

#include <vector>

#include "assay/output.hpp"
#include "delta.hpp"

namespace assay::result_delta {

/// The answer, a finding for each metric that moved, and what stayed open.
std::vector<Finding> findings(const Delta& delta);

/// One row a comparison, moved ones first, then as compared.
Table comparison_table(const Delta& delta, const StudyView& view);

}  // namespace assay::result_delta
