// What runners wrote beside the reports, put to use: labels, failed runs, runs without a report.
#pragma once

#include <map>

#include "catalog/file_list.hpp"
#include "runners/runner_file.hpp"

namespace assay {

/// Runners' files, each read once for all questions.
class RunnerFiles {
 public:
  const Result<RunnerFile>& read(const FoundFile& file);

 private:
  std::map<std::filesystem::path, Result<RunnerFile>> read_;
};

/// A runner's file that speaks of reports of the question: they lie in its folder or below.
struct RunnerSource {
  std::size_t file;  ///< index into the list
  bool own;          ///< itself lies where the question's reports are, so all of its runs belong to the question
};

/// Fills `runs`, and `issues` with what is to be said. An entry is matched by its name, which is that of a report
/// without extension, or else, where the name is none of a report, by its labels, when they are those of one report
/// only. Labels that the name of a report does not give are taken from its runs; what contradicts the name is an issue
/// and the name is believed. Reports of failed runs are taken out, unless the question keeps them.
void apply_runner_results(const Question& question, const FileList& list, std::vector<RunnerSource> sources,
                          RunnerFiles& files, QuestionCatalog& catalog);

}  // namespace assay
