#include "discover/completeness.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

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

/// Expected runs by the labels that they fix, so that a report needs one lookup per set of labels.
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

std::map<std::string, std::string> texts_of(const std::vector<LabelOfReport>& values, const Question& question) {
  std::map<std::string, std::string> labels;
  for (const LabelOfReport& value : values) labels[question.labels.labels[value.label].name] = value.text;
  return labels;
}

/// Why a run has no report that counts; empty if it has one, according to its runner.
std::string why_missing(const RunnerRun& run, const std::vector<FoundFile>& files) {
  if (!run.files.empty() && run.failure.empty()) return {};
  return files[run.source].name + ": " +
         (run.failure.empty() ? "the run was recorded but has no profile" : run.failure);
}

std::vector<std::string> reasons_of(const Question& question, const std::vector<FoundFile>& files,
                                    const QuestionCatalog& catalog, const ExpectedIndex& index, std::size_t cells) {
  std::vector<std::string> reasons(cells);
  for (const RunnerRun& run : catalog.runs) {
    const std::string why = why_missing(run, files);
    if (why.empty()) continue;
    for (const std::size_t cell : index.runs_of(texts_of(run.labels, question))) {
      if (reasons[cell].empty()) reasons[cell] = why;
    }
  }
  return reasons;
}

/// Without a matrix, the runs in runner files are the expected ones.
void count_runs(const std::vector<FoundFile>& files, QuestionCatalog& catalog) {
  std::set<std::size_t> there;
  for (const CatalogEntry& entry : catalog.entries) {
    if (entry.role == ReportRole::kQuestion && is_report(files[entry.file].kind)) there.insert(entry.file);
  }
  Completeness& count = catalog.completeness;
  for (const RunnerRun& run : catalog.runs) {
    const bool present =
        std::any_of(run.files.begin(), run.files.end(), [&](std::size_t f) { return there.contains(f); });
    std::string why = why_missing(run, files);
    if (!run.own || (!present && why.empty())) continue;
    ++count.expected;
    count.present += present ? 1U : 0U;
    if (!present) count.missing.push_back({{{"run", run.name}}, std::move(why)});
  }
}

}  // namespace

std::string MatrixCell::with_reason() const { return reason.empty() ? str() : fmt::format("{} ({})", str(), reason); }

std::string MatrixCell::str() const {
  std::string text;
  for (const auto& [label, value] : labels) text += fmt::format("{}{}={}", text.empty() ? "" : ";", label, value);
  return text;
}

void count_expected(const Question& question, const std::vector<FoundFile>& files, QuestionCatalog& catalog) {
  const std::vector<ExpectedRun> runs = expected_runs(question);
  if (runs.empty()) return count_runs(files, catalog);
  const ExpectedIndex index(runs);
  std::vector<bool> present(runs.size(), false);
  for (const CatalogEntry& entry : catalog.entries) {
    const FoundFile& file = files[entry.file];
    if (entry.role != ReportRole::kQuestion || !is_report(file.kind)) continue;
    const std::vector<std::size_t> cells = index.runs_of(texts_of(entry.labels, question));
    for (const std::size_t cell : cells) present[cell] = true;
    if (cells.empty()) catalog.completeness.unexpected.push_back(file.name);
  }
  catalog.completeness.expected = runs.size();
  catalog.completeness.present = static_cast<std::size_t>(std::count(present.begin(), present.end(), true));
  const std::vector<std::string> reasons = reasons_of(question, files, catalog, index, runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!present[i]) catalog.completeness.missing.push_back({runs[i].named, reasons[i]});
  }
}

}  // namespace assay
