// What a claim says, taken from its keys.
#pragma once

#include "conclude/conclude.hpp"

namespace assay {

/// A claim before it is judged: its keys as the question gave them, and the range where its judge has `between`.
OwnedClaim claim_to_judge(const PlannedClaim& claim, const std::vector<OwnedMetric>& metrics);

/// Once judged, the range is of the kind and unit of the effects that were judged.
void settle_claimed_range(OwnedClaim& claim);

}  // namespace assay
