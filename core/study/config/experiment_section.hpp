// `[experiment]`: how the runs that the matrix expects are made.
#pragma once

#include "config/experiment.hpp"
#include "config/section.hpp"

namespace assay {

/// `question` has its labels already. Refuses what no run could be made by: unknown placeholders, labels that are not
/// declared, times that are none.
ExperimentSpec parse_experiment(Section section, const Question& question);

}  // namespace assay
