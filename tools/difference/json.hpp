// findings.json of a comparison of profiles.
#pragma once

#include <string>
#include <vector>

#include "difference/comparison.hpp"

namespace assay::compare {

/// All data: sides, the step, the breakdown, each change with its rows. `files`: names of all files of the folder.
std::string comparison_json(const std::vector<difference::Comparison>& comparisons, const std::string& gate,
                            const std::vector<std::string>& files);

}  // namespace assay::compare
