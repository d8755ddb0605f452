// What `look` draws, and the answer of a question.
#pragma once

#include "words.hpp"

namespace assay::compile {

std::vector<StudyLog> logs_of(const StudyView& view);
/// `logs`: not empty.
void emit_answer(const StudyView& view, const std::vector<StudyLog>& logs, StudySink& sink);

}  // namespace assay::compile
