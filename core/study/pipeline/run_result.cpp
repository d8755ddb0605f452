#include "pipeline/run_result.hpp"

namespace assay {

QuestionRun RunResult::question(std::size_t number) const {
  const PlannedQuestion& planned = plan->questions[number];
  const QuestionCatalog& found = catalog->questions[number];
  const std::vector<ReportResult>& results = analysis.questions[number];
  QuestionRun one{number, planned, *planned.question, found, catalog->files, questions[number], {}};
  for (std::size_t r = 0; r < results.size(); ++r) {
    const CatalogEntry& entry = found.entries[r];
    one.reports.push_back({catalog->files[entry.file], entry, results[r]});
  }
  return one;
}

std::vector<QuestionRun> RunResult::each_question() const {
  std::vector<QuestionRun> all;
  for (std::size_t q = 0; q < questions.size(); ++q) all.push_back(question(q));
  return all;
}

}  // namespace assay
