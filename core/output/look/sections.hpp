// Sections of pages that an analyzer lays out, drawn without a notion of what they are about.
//
// Its table `sections` has a row for each section and each sentence in the order of display. A row with another `title`
// begins a section, on the page of the `report` (empty: of all reports together); a sentence without a title is the
// headline. The section shows `columns` ("Total Time=time|Calls": each with its heading, where that is another) of a
// `table` of `analyzer` (empty: its own). `by`: rows by this column, largest first, those without a value in it left
// out; `rows`: at most so many; `half`: half the width is enough; `own units`: each number has a unit of its own. On
// the page of a report, the report's own table is meant or the rows of a table of all whose `report` it is. Cells are
// drawn by type and unit. What names a table or column that is not there draws nothing, and a section with neither rows
// nor sentences is left out.
#pragma once

#include "look/page.hpp"
#include "render/render.hpp"

namespace assay::look {

/// Rows of tables on the page of all reports by a column, numbers largest first and texts by their bytes; what has no
/// value comes last. It is the first whose heading contains `column`, whatever the case.
struct RowOrder {
  std::string column;                 ///< empty: as the analyzer has them
  bool found = false;                 ///< whether a table had it
  std::vector<std::string> headings;  ///< of the tables with a row per report
};

/// Adds the sections of the page of one report, which is called `name`; null and empty: of the page of all.
void add_sections(const QuestionResult& question, const ReportResult* report, const std::string& name, Page& to,
                  RowOrder* order = nullptr);

}  // namespace assay::look
