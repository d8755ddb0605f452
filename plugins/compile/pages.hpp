// What `look` draws, and the answer of a question.
#pragma once

#include "words.hpp"

namespace assay::compile {

std::vector<StudyLog> logs_of(const StudyView& view);
/// What another run of the program changed, if the logs have the label `side`: the log of each side that compiles
/// longest. False: there are no sides.
bool emit_difference(const StudyView& view, const std::vector<StudyLog>& logs, StudySink& sink);
/// `logs`: not empty.
void emit_answer(const StudyView& view, const std::vector<StudyLog>& logs, StudySink& sink);
/// Without logs: files of the code of generated kernels, on the page of each profile that states them. False: none
/// does.
bool emit_generated(const StudyView& view, StudySink& sink);

}  // namespace assay::compile
