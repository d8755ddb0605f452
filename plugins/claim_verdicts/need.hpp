// What an open stratum still needs, for planning further runs: `assay plan --power` and the judge of recordings.
#pragma once

#include "recorded.hpp"

namespace assay::claims {

/// Fills `need` and `in_vain` of a stratum judged on runs without blocks.
void set_runs_needed(const Claim& claim, const Contrast& contrast, const NoiseFloor& floor, StratumVerdict& stratum);

/// The same, based on the blocks of a recording.
void set_blocks_needed(const Claim& claim, const RecordedContrast& recorded, StratumVerdict& stratum);

/// Why one run per side confirms nothing, and what would: "not confirmed: one run per side. Repeat runs here differ by
/// up to 18 %; about 4 runs each would settle it". `need` of `stratum` must be set.
std::string why_not_confirmed(const Claim& claim, const NoiseFloor& floor, const StratumVerdict& stratum);

}  // namespace assay::claims
