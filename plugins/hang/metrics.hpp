// Declarations of the analyzer.
#pragma once

#include "assay/abi.hpp"

namespace assay::hang {

inline constexpr MetricSpec kMetrics[] = {
    {"hang.open_call_count", "1", Polarity::kNeutral, "Calls in the dump of a rank that have not completed.",
     "open calls of a rank"},
    {"hang.open_rank_count", "1", Polarity::kNeutral, "Ranks of the job with an open call.", "ranks with an open call"},
    {"hang.named_rank_count", "1", Polarity::kLowerIsBetter, "Ranks that are at fault by the rule.", "ranks at fault"},
    {"hang.named", "1", Polarity::kNeutral, "1 for each rank that is at fault by the rule; dims: rank.",
     "rank at fault"}};

inline constexpr AttributeSpec kAttributeSpecs[] = {
    {"hang.call", "The first open call of the rank in words; \"none\" if it has none."}};

}  // namespace assay::hang
