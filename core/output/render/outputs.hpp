// Writers of outputs, each in a file of its own name.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/fact_rows.hpp"
#include "render/render.hpp"

namespace assay {

/// Rows of `issues`: issues of reports, names that did not parse, unreadable files, and notes of discovery.
struct IssueRow {
  std::string report;  ///< empty: the question
  OwnedIssue issue;
};
std::vector<IssueRow> issue_rows(const QuestionRun& run);

/// Row by row, since it is the largest text of a run over many reports.
void write_facts_csv(const FactRows& facts, std::ostream& to);
/// A CSV cell that no spreadsheet interprets as a formula.
std::string csv_field(std::string_view text);
std::string findings_json(const RunResult& run);
std::string report_md(const RunResult& run);

/// Verdicts, answers and claims in at most 25 lines and less than 60 KB, for a pull request.
std::string summary_md(const RunResult& run);

/// A single file with answers, plots, tables and facts. Fetches nothing.
std::string report_html(const RunResult& run, const FactRows& facts);

/// (path below the output folder, SVG) of every plot, sorted by path.
std::vector<std::pair<std::string, std::string>> plot_files(const RunResult& run);

/// Path of the static drawing of a plot below the output folder: "plots/rq3-compilation_delta-pairs.svg".
std::string plot_file_name(std::string_view question, const OwnedPlot& plot);

/// Path of the drawing of its samples: "plots/rq3-compilation_delta-pairs-samples-1.svg".
std::string samples_file_name(std::string_view question, const OwnedPlot& plot, std::size_t strips);

/// (path below the output folder, text) of every text that analyzers made from a report, sorted by path:
/// "reports/<report without extension><suffix>", or longer if another report has that name.
std::vector<std::pair<std::string, std::string>> text_files(const RunResult& run);

}  // namespace assay
