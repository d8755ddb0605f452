// A look: what the claims of a recording say so far, and which cells the undecided ones still need.
#pragma once

#include <vector>

#include "record/recorder.hpp"
#include "results/stored_results.hpp"

namespace assay {

/// The verdicts of the questions (as_stored, or a result that was read back) against the design.
record::InterimLook look_of(const std::vector<StoredQuestion>& judged, const record::Design& design);

}  // namespace assay
