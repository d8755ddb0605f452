// Finds the report for an entry of a runner file.
#pragma once

#include <map>

#include "catalog/file_list.hpp"
#include "runners/runner_labels.hpp"

namespace assay {

/// Reports of an entry.
struct RunnerMatch {
  std::vector<std::size_t> files;      ///< indices into the list: one run may have several files with one stem
  std::vector<std::string> ambiguous;  ///< names of several runs that match equally; `files` is empty then
};

/// Looks up reports for the entries of one runner file.
class RunnerMatcher {
 public:
  /// Considers the reports in `folder` (absolute) and below.
  RunnerMatcher(const Question& question, const FileList& list, const QuestionCatalog& catalog,
                const std::string& folder);

  /// By the name of the entry including folders ("rq1/run_7" does not match "rq2/run_7").
  [[nodiscard]] RunnerMatch match_by_name(const RunnerEntry& entry) const;

  /// By labels: reports of the question whose name labels all agree. Only for entries whose name does not parse like
  /// that of a report.
  [[nodiscard]] RunnerMatch match_by_labels(const RunnerEntry& entry, const std::vector<LabelOfReport>& given) const;

 private:
  using Values = std::vector<std::pair<std::size_t, std::string>>;  ///< label, text

  const Question& question_;
  const FileList& list_;
  std::map<std::string_view, std::vector<std::size_t>> by_stem_;
  std::map<std::vector<std::size_t>, std::map<Values, std::vector<std::size_t>>> by_labels_;  ///< by which labels are
                                                                                              ///< named
};

}  // namespace assay
