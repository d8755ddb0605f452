// Which report an entry of a runner's file is about.
#pragma once

#include <map>

#include "catalog/file_list.hpp"
#include "runners/runner_labels.hpp"

namespace assay {

/// Reports that an entry is about.
struct RunnerMatch {
  std::vector<std::size_t> files;      ///< indices into the list: one run may have several files under one stem
  std::vector<std::string> ambiguous;  ///< names of several runs that fit alike; then `files` is empty
};

/// Looks reports up for the entries of one runner's file.
class RunnerMatcher {
 public:
  /// Sees the reports in `folder` (absolute) and below.
  RunnerMatcher(const Question& question, const FileList& list, const QuestionCatalog& catalog, std::string folder);

  /// By the name of the entry, folders in it included ("rq1/run_7" is no "rq2/run_7").
  [[nodiscard]] RunnerMatch match_by_name(const RunnerEntry& entry) const;

  /// By labels: reports of the question of which every label that their name gives is given alike. Only for entries
  /// whose name does not read as that of a report.
  [[nodiscard]] RunnerMatch match_by_labels(const RunnerEntry& entry, const std::vector<LabelOfReport>& given) const;

 private:
  using Values = std::vector<std::pair<std::size_t, std::string>>;  ///< label, text

  const Question& question_;
  const FileList& list_;
  std::map<std::string_view, std::vector<std::size_t>> by_stem_;
  std::map<std::vector<std::size_t>, std::map<Values, std::vector<std::size_t>>> by_labels_;  ///< by which are named
};

}  // namespace assay
