#include "conclude/completeness.hpp"

#include <algorithm>

#include "discover/completeness.hpp"

namespace assay {
namespace {

void insert_sorted(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::lower_bound(names.begin(), names.end(), name);
  if (at == names.end() || *at != name) names.insert(at, name);
}

}  // namespace

Completeness completeness_after_reading(const AnalyzedQuestion& question) {
  const QuestionCatalog& found = question.found;
  const std::vector<ReportResult>& reports = question.reports;
  Completeness completeness = found.completeness;
  QuestionCatalog usable;
  usable.runs = found.runs;
  for (std::size_t e = 0; e < reports.size(); ++e) {
    const std::string& name = question.name_of(e);
    const bool unreadable = !reports[e].loaded && !reports[e].lacking;
    if (reports[e].lacking) insert_sorted(completeness.lacking, name);
    if (unreadable) {
      insert_sorted(completeness.unreadable, name);
    } else {
      usable.entries.push_back(found.entries[e]);
    }
  }
  count_expected(*question.planned.question, question.catalog.files, usable);
  completeness.expected = usable.completeness.expected;
  completeness.present = usable.completeness.present;
  completeness.missing = std::move(usable.completeness.missing);
  return completeness;
}

}  // namespace assay
