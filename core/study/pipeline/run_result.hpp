// The end of the line: everything that the outputs are made from.
#pragma once

#include <vector>

#include "conclude/conclude.hpp"

namespace assay {

/// One report of one question: what was found, and what came of it.
struct ReportRun {
  const FoundFile& file;
  const CatalogEntry& entry;
  const ReportResult& result;
};

/// One question of a run, with everything that belongs to it. Borrows from the RunResult.
struct QuestionRun {
  std::size_t number;  ///< in the run, from 0
  const PlannedQuestion& planned;
  const Question& question;
  const QuestionCatalog& found;
  const std::vector<FoundFile>& files;  ///< of the whole run
  const QuestionResult& result;
  std::vector<ReportRun> reports;  ///< sorted by name
};

/// Everything the outputs are made from. The same question has the same number in `plan`, `catalog`, `analysis` and
/// `questions`, and the same report the same within: these put them together.
struct RunResult {
  const Plan* plan = nullptr;
  const Catalog* catalog = nullptr;
  Analysis analysis;
  std::vector<QuestionResult> questions;

  [[nodiscard]] QuestionRun question(std::size_t number) const;
  [[nodiscard]] std::vector<QuestionRun> each_question() const;
};

}  // namespace assay
