// report.html of a comparison of profiles.
#pragma once

#include <string>
#include <vector>

#include "difference/comparison.hpp"

namespace assay::compare {

/// The answer, a waterfall of the difference, the tables, and the step expanded down to kernels. Runs no script.
std::string comparison_html(const std::vector<difference::Comparison>& comparisons, const std::string& gate);

}  // namespace assay::compare
