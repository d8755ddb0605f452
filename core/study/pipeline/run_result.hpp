// Result of the stages: the input of all outputs.
#pragma once

#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// One report of one question: the file and its result.
struct ReportRun {
  const FoundFile& file;
  const CatalogEntry& entry;
  const ReportResult& result;
};

/// One question of a run with all its data. Borrows from the RunResult.
struct QuestionRun {
  std::size_t number;  ///< index in the run
  const PlannedQuestion& planned;
  const Question& question;
  const QuestionCatalog& found;
  const std::vector<FoundFile>& files;  ///< of the whole run
  const QuestionResult& result;
  std::vector<ReportRun> reports;  ///< sorted by name
};

/// Input of all outputs. A question has the same index in `plan`, `catalog`, `analysis` and `questions`, and so has a
/// report within them; the members below combine them.
struct RunResult {
  const Plan* plan = nullptr;
  const Catalog* catalog = nullptr;
  Analysis analysis;
  std::vector<QuestionResult> questions;

  [[nodiscard]] QuestionRun question(std::size_t number) const;
  [[nodiscard]] std::vector<QuestionRun> each_question() const;
};

}  // namespace assay
