// Jobs in a folder of reports, determined before any report is analyzed.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "conclude/study_tables.hpp"

namespace assay {

struct JobsFound {
  std::size_t runs = 0;
  bool of_ranks = false;  ///< some run has several ranks
  std::string names;      ///< "a (2 ranks), b (4 ranks) and others"
};

/// Reports of a catalog's first question, with their position in a job by name and file.
class UnreadStudy {
 public:
  UnreadStudy(const Question& question, const Catalog& catalog);

  [[nodiscard]] const StudyView& view() const { return view_; }
  [[nodiscard]] JobsFound jobs() const;

 private:
  PlannedQuestion planned_;
  std::vector<ReportResult> reports_;
  StudyTables tables_;
  StudyView view_;
};

}  // namespace assay
