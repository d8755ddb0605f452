// What the profiles of pilot runs say of how long a run has to measure.
#pragma once

#include "pipeline/run_result.hpp"
#include "record/recorder.hpp"

namespace assay {

/// Of a run over the profiles of two runs of one cell, which are blocks 1 and 2: the length of the measured part, and
/// how the claimed metrics spread within and between them.
record::PilotProfiles pilot_profiles(const RunResult& run);

}  // namespace assay
