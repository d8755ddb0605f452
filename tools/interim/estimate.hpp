// Describes the effect of a stratum without an interval.
#pragma once

#include <string>

#include "config/claim_keys.hpp"
#include "results/stored_results.hpp"

namespace assay {

struct Estimate {
  std::string size;    ///< "graph 7.4x faster"
  std::string blocks;  ///< " (14x, 5.5x, 5.1x in three blocks)"; of more than five the smallest and the largest
};
/// Empty without an effect, and of what is neither a ratio nor a level.
Estimate estimate_of(const ClaimShape& sides, const OwnedStratum& stratum, const StoredQuestion& question);

}  // namespace assay
