// Interim look: verdicts of the claims of a recording so far, and the cells that undecided claims still need.
#pragma once

#include <vector>

#include "record/recorder.hpp"
#include "results/stored_results.hpp"

namespace assay {

/// Verdicts of the questions (from to_stored or a stored result), for the design.
record::InterimLook look_of(const std::vector<StoredQuestion>& judged, const record::Design& design);

}  // namespace assay
