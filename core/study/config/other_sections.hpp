// Sections of a question that code outside of core reads.
#pragma once

#include "config/section.hpp"

namespace assay {

/// Refuses an [experiment] by which no run could be made: unknown placeholders, labels that are not declared, times
/// that are none. `question` has its labels already. Of the recorder (tools/record); a build without it refuses
/// nothing.
void check_experiment(Section section, const Question& question);

}  // namespace assay
