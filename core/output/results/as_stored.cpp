#include "results/stored_results.hpp"

namespace assay {

std::vector<StoredQuestion> to_stored(const RunResult& run) {
  std::vector<StoredQuestion> stored;
  for (const QuestionRun& question : run.each_question()) {
    StoredQuestion& one = stored.emplace_back();
    one.id = question.question.id;
    one.result.metrics = question.result.metrics;
    one.result.claims = question.result.claims;
    for (const ReportRun& report : question.reports) {
      const ReportResult& result = report.result;
      StoredReport& row = one.reports.emplace_back(
          StoredReport{report.file.name, report.entry.role, result.loaded, report.file.size, result.doubt, {}, {}, {}});
      for (const LabelOfReport& label : report.entry.labels)
        row.labels.emplace_back(question.question.labels.labels[label.label].name, label.text);
      row.attributes = result.attributes;
      row.facts = result.facts;
    }
  }
  return stored;
}

SummaryInput StoredQuestion::summary() const {
  ReportCounts counts;
  std::vector<const std::vector<OwnedAttribute>*> read;
  for (const StoredReport& report : reports) {
    ++(report.role == ReportRole::kNoise ? counts.noise : counts.question);
    if (report.loaded) read.push_back(&report.attributes);
  }
  return {id, title, text, &result, counts, issues, made_with_line(read)};
}

}  // namespace assay
