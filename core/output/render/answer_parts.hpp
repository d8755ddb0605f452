// What shows a question's answer at once: one plot and one small table of an analyzer that answered.
#pragma once

#include "conclude/conclude.hpp"

namespace assay {

struct AnswerParts {
  const OwnedPlot* plot = nullptr;    ///< the first of an analyzer that answered; null without one
  const OwnedTable* table = nullptr;  ///< its table `effects`, else its first of few rows; null without one
};
AnswerParts answer_parts(const QuestionResult& result);

}  // namespace assay
