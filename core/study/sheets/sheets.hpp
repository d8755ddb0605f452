// Stage between analyze and conclude: reads tables next to the reports. The analyzers interpret the columns.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "tables/table.hpp"

namespace assay {

/// One file of a [[sheet]], read.
struct OwnedSheet {
  std::string id;    ///< of the [[sheet]]
  std::string path;  ///< as in every output
  std::vector<LabelOfReport> labels;
  SheetTexts table;
};

struct SheetProblem {
  std::string path;
  std::string sentence;
};

/// Sheets of one question, sorted by (id, path). A file that cannot be read is not among them; `problems` has the
/// reason, and other problems of files.
struct Sheets {
  std::vector<OwnedSheet> read;
  std::vector<SheetProblem> problems;
};

/// Reads CSV by file name, JSON otherwise; adds the sheet "runner" from runner files (see runner_sheet). Never fails as
/// a whole.
Sheets read_sheets(const Question& question, const Catalog& catalog, const QuestionCatalog& found);

}  // namespace assay
