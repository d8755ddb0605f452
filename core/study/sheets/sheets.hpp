// Between analyze and conclude: tables that stand beside the reports, read as they are. What their columns mean is the
// analyzers' business.
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

/// The sheets of one question, sorted by (id, path). A file that cannot be read is none; `problems` says why, and what
/// else is wrong with files.
struct Sheets {
  std::vector<OwnedSheet> read;
  std::vector<SheetProblem> problems;
};

/// CSV by the name's end, JSON otherwise; and the sheet "runner" of what runners wrote (see runner_sheet). Never fails
/// as a whole.
Sheets read_sheets(const Question& question, const Catalog& catalog, const QuestionCatalog& found);

}  // namespace assay
