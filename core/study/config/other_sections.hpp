// Sections of a question that code outside of core reads.
#pragma once

#include "config/section.hpp"

namespace assay {

/// Refuses an [experiment] that permits no run: unknown placeholders, undeclared labels, invalid times. `question` must
/// have its labels. Implemented by the recorder (tools/record); a build without it refuses nothing.
void check_experiment(Section section, const Question& question);

}  // namespace assay
