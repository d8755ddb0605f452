// Parses `[experiment]`: how to make the runs that the matrix expects.
#pragma once

#include "config/experiment.hpp"
#include "config/section.hpp"

namespace assay {

/// Precondition: `question` has its labels. Refuses whatever makes a run impossible: unknown placeholders, undeclared
/// labels, invalid times.
ExperimentSpec parse_experiment(Section section, const Question& question);

}  // namespace assay
