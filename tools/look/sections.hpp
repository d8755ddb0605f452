// Draws page sections as laid out by an analyzer, independent of their subject.
//
// The analyzer's table `sections` has one row per section and per sentence in display order. A row with a new `title`
// begins a section, on the page of the `report` (empty: of all reports); a sentence without a title is the headline.
// The section shows `columns` ("Total Time=time|Calls": each with its heading, if that differs) of a `table` of
// `analyzer` (empty: its own). `by`: sorts by this column, largest first, and drops rows without a value in it; `rows`:
// max number; `half`: half the width suffices; `unknown empty`: numbers that are not known are empty cells; `leads`: it
// stands first and open. On the page of a report it uses the report's own table, or the rows of a common table whose
// `report` it is. Cells are drawn by type and unit. A missing table or column draws nothing, and a section with neither
// rows nor sentences is left out.
#pragma once

#include <map>
#include <unordered_map>

#include "look/page.hpp"
#include "render/render.hpp"

namespace assay::look {

/// Sort column of tables on the page of all reports: times shortest first, other numbers largest first, texts bytewise,
/// missing values last. The
/// first column whose heading contains `column`, ignoring case.
struct RowOrder {
  std::string column;                 ///< empty: order of the analyzer
  bool found = false;                 ///< some table has the column
  std::vector<std::string> headings;  ///< of numbers in the tables with one row per report
};

/// Rows of tables by report. Pages of thousands of reports share it, so that each looks up only its own rows.
class ReportRows {
 public:
  /// Ascending; of the column `report`. The table outlives this.
  const std::vector<std::size_t>& of(const OwnedTable& table, const std::string& report);
  bool many = false;  ///< there are pages of several reports, so pictures are drawn with few bytes

 private:
  std::map<const OwnedTable*, std::unordered_map<std::string, std::vector<std::size_t>>> rows_;
};

/// Adds the sections for the page of the report `name`; null and empty: for the page of all reports.
void add_sections(const QuestionResult& question, const ReportResult* report, const std::string& name, Page& to,
                  ReportRows& rows, RowOrder* order = nullptr);

}  // namespace assay::look
