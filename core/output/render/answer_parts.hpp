// Selects what shows a question's answer at a glance: one plot and one small table of an answering analyzer.
#pragma once

#include "conclude/conclude.hpp"

namespace assay {

struct AnswerParts {
  const OwnedPlot* plot = nullptr;    ///< first plot of an answering analyzer; null if there is none
  const OwnedTable* table = nullptr;  ///< its table `effects`, else its first small one; null if there is none
};
AnswerParts answer_parts(const QuestionResult& result);

}  // namespace assay
