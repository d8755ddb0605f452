// The runs that the matrix of a question expects.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/question.hpp"

namespace assay {

struct ExpectedRun {
  using Values = std::vector<std::pair<std::string, std::string>>;  ///< label, value
  Values named;                                                     ///< as the block has it, in the order of the TOML
  Values filled;  ///< with the defaults of the other labels, sorted by label; a label in neither is free
};

/// Union of all blocks, in the order of the TOML, each run once. Defaults of descriptive labels are not asked for.
std::vector<ExpectedRun> expected_runs(const Question& question);

}  // namespace assay
