// Which jobs a folder of reports holds, told before any of them is analyzed.
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

/// The reports of a catalog's first question with what their names and files say of their place in a job.
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
