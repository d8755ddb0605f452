// What another run of the program changed.
#pragma once

#include "words.hpp"

namespace assay::compile {

/// Answers for two sides of logs, by the label `side`: the log of each that compiles longest. False: there are no
/// sides.
bool emit_difference(const StudyView& view, const std::vector<StudyLog>& logs, StudySink& sink);

}  // namespace assay::compile
