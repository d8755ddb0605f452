// Uses runner files next to the reports: labels, failed runs, runs without a report.
#pragma once

#include <map>

#include "catalog/file_list.hpp"
#include "runners/runner_file.hpp"

namespace assay {

/// Runner files, each read once for all questions.
class RunnerFiles {
 public:
  const Result<RunnerFile>& read(const FoundFile& file);

 private:
  std::map<std::filesystem::path, Result<RunnerFile>> read_;
};

/// A runner file with reports of the question in its folder or below.
struct RunnerSource {
  std::size_t file;  ///< index into the list
  bool own;          ///< it is itself among the question's reports, so all of its runs belong to the question
};

/// Fills `runs`, and `issues`. An entry is matched by its name, which is that of a report without extension, or else,
/// if no report has that name, by its labels if they match exactly one report. Labels missing from the name of a report
/// are taken from its runs; if they contradict the name, that is an issue and the name wins. Removes reports of failed
/// runs, unless the question keeps them.
void apply_runner_results(const Question& question, const FileList& list, std::vector<RunnerSource> sources,
                          RunnerFiles& files, QuestionCatalog& catalog);

}  // namespace assay
