// Runs that the matrix of a question expects.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/question.hpp"

namespace assay {

struct ExpectedRun {
  using Values = std::vector<std::pair<std::string, std::string>>;  ///< label, value
  Values named;                                                     ///< labels of the block, in TOML order
  Values filled;  ///< with defaults of the other labels, sorted by label; a label without either is free
};

/// Union of all blocks in TOML order, without duplicates. Does not use defaults of descriptive labels.
std::vector<ExpectedRun> expected_runs(const Question& question);

}  // namespace assay
