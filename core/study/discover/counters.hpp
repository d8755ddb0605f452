// Assigns CSVs of Nsight Compute to reports.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "catalog/file_list.hpp"

namespace assay {

/// CSVs by folder and stem of their run, for one question.
class CounterFiles {
 public:
  /// `considered(file)`: whether the question may use a file.
  CounterFiles(const Question& question, const FileList& list, const std::function<bool(std::size_t)>& considered);

  /// Whether a file is read with a report and is not a report itself: it has the folder and stem of an nsys export, a
  /// trace or an earlier CSV, or is named by a [[join]] or [[sheet]]. Also true for a .ncu-rep without CSV, whose run
  /// exists and only lacks its counters.
  [[nodiscard]] bool belongs_to_another(std::size_t file) const { return claimed_[file] != 0; }

  /// Fills `counters` of the entries, by stem and by [[join]]. Notes a [[join]] that matches nothing; a .ncu-rep next
  /// to its run that could not be read for lack of a CSV becomes an issue of that run.
  void join(QuestionCatalog& catalog) const;

 private:
  [[nodiscard]] bool is_unread_report(std::size_t file) const;
  void join_by_rule(const JoinSpec& rule, QuestionCatalog& catalog) const;
  [[nodiscard]] std::string run_of(std::size_t file) const;
  /// Under which the files that are read with one another are found in `of_run_`.
  [[nodiscard]] std::string pages_of(std::size_t file) const;

  const Question& question_;
  const FileList& list_;
  std::map<std::string, std::vector<std::size_t>> of_run_;         // see pages_of
  std::map<std::string, std::vector<std::size_t>> unread_of_run_;  // folder and stem -> .ncu-rep
  std::vector<char> claimed_, considered_;
};

}  // namespace assay
