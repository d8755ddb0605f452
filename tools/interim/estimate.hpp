// Describes the effect of a stratum without an interval.
#pragma once

#include <string>

#include "results/stored_results.hpp"

namespace assay {

/// What a claim compares, from its keys.
struct ClaimSides {
  std::string compare, label, base;
  bool exact = false;
};

/// "graph 7.4x faster (14x, 5.5x, 5.1x in three blocks)": the estimate, then the value of each block; with more than
/// five blocks their minimum and maximum. Empty without an effect, or if it is neither a ratio nor a level.
std::string estimate_text(const ClaimSides& sides, const OwnedStratum& stratum, const StoredQuestion& question);

}  // namespace assay
