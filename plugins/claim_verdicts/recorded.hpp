// Claims about runs that were recorded in blocks, judged by intervals that may be looked at after every block.
#pragma once

#include "assay/algo/contrast.hpp"
#include "claim.hpp"

namespace assay::claims {

/// Whether runs of the cell stand in blocks of a recording (the label `block`, which its journal gives).
bool is_recorded(const StudyView& view, const Stratum& cell);

/// The effect with a confidence sequence over the blocks of the recording: of ratios the differences of logs within
/// blocks (logits where the metric is a share), of levels those values themselves, of steps the differences within
/// blocks and `block` labels. The second of the A/A pair counts nowhere here. An interval without bounds while there
/// are too few blocks. Nothing when no block has what the claim compares.
std::optional<Contrast> recorded_contrast(const StudyView& view, const Claim& claim, const Stratum& cell,
                                          const NoiseFloor& floor, double level);

/// The ratio between both runs of the A/A pair with its confidence sequence at `level`; nothing without such a pair.
std::optional<Contrast> twin_contrast(const StudyView& view, const Claim& claim, double level);

}  // namespace assay::claims
