#include "discover/completeness.hpp"

#include <algorithm>
#include <map>

#include "config/expected_runs.hpp"

namespace assay {
namespace {

using Values = ExpectedRun::Values;
using Names = std::vector<std::string>;

Names names_of(const Values& values) {
  Names names;
  for (const auto& [label, value] : values) names.push_back(label);
  return names;
}

/// Expected runs by the labels that they fix, so that a report is looked up once for each such set.
class ExpectedIndex {
 public:
  explicit ExpectedIndex(const std::vector<ExpectedRun>& runs) {
    for (std::size_t i = 0; i < runs.size(); ++i) by_names_[names_of(runs[i].filled)].emplace(runs[i].filled, i);
  }

  [[nodiscard]] std::vector<std::size_t> runs_of(const std::map<std::string, std::string>& labels) const {
    std::vector<std::size_t> found;
    for (const auto& [names, runs] : by_names_) {
      Values values;
      for (const std::string& name : names) {
        if (const auto at = labels.find(name); at != labels.end()) values.emplace_back(name, at->second);
      }
      if (const auto at = runs.find(values); at != runs.end()) found.push_back(at->second);
    }
    return found;
  }

 private:
  std::map<Names, std::map<Values, std::size_t>> by_names_;
};

std::map<std::string, std::string> labels_of(const CatalogEntry& entry, const Question& question) {
  std::map<std::string, std::string> labels;
  for (const LabelOfReport& value : entry.labels) labels[question.labels.labels[value.label].name] = value.text;
  return labels;
}

}  // namespace

std::string MatrixCell::str() const {
  std::string text;
  for (const auto& [label, value] : labels) text += (text.empty() ? "" : ";") + label + "=" + value;
  return text;
}

void count_expected(const Question& question, const std::vector<FoundFile>& files, QuestionCatalog& catalog) {
  const std::vector<ExpectedRun> runs = expected_runs(question);
  const ExpectedIndex index(runs);
  std::vector<bool> present(runs.size(), false);
  for (const CatalogEntry& entry : catalog.entries) {
    const FoundFile& file = files[entry.file];
    if (entry.role != ReportRole::kQuestion || !is_report(file.kind) || runs.empty()) continue;
    const std::vector<std::size_t> cells = index.runs_of(labels_of(entry, question));
    for (const std::size_t cell : cells) present[cell] = true;
    if (cells.empty()) catalog.completeness.unexpected.push_back(file.name);
  }
  catalog.completeness.expected = runs.size();
  catalog.completeness.present = static_cast<std::size_t>(std::count(present.begin(), present.end(), true));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!present[i]) catalog.completeness.missing.push_back({runs[i].named});
  }
}

}  // namespace assay
