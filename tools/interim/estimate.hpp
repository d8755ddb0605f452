// Describes the effect of a stratum without an interval.
#pragma once

#include <string>

#include "config/claim_keys.hpp"
#include "results/stored_results.hpp"

namespace assay {

/// "graph 7.4x faster (14x, 5.5x, 5.1x in three blocks)": the estimate first, then what each block says by itself. With
/// more than five blocks the smallest and the largest. Empty without an effect, and of what is neither a ratio nor a
/// level.
std::string estimate_text(const ClaimShape& sides, const OwnedStratum& stratum, const StoredQuestion& question);

}  // namespace assay
