// One function an output; each stands in a file of its name.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/fact_rows.hpp"
#include "render/render.hpp"

namespace assay {

/// Rows of `issues`: what the reports said, names that did not parse, files that could not be read, and notes of
/// discovery.
struct IssueRow {
  std::string report;  ///< empty: the question
  OwnedIssue issue;
};
std::vector<IssueRow> issue_rows(const QuestionRun& run);

/// Row by row: of many reports it is the largest text.
void write_facts_csv(const FactRows& facts, std::ostream& to);
/// A text or the report's name as a cell of CSV that no spreadsheet takes for a formula.
std::string csv_field(std::string_view text);
std::string findings_json(const RunResult& run);
std::string report_md(const RunResult& run);

/// The answers, their plots and the verdicts on claims in less than 60 KB, for a pull request.
std::string summary_md(const RunResult& run);

/// The one file that holds everything: answers, plots, tables, facts. It fetches nothing.
std::string report_html(const RunResult& run, const FactRows& facts);

/// (path below the output folder, SVG) of every plot, sorted by path.
std::vector<std::pair<std::string, std::string>> plot_files(const RunResult& run);

/// Where the static drawing of a plot stands, below the output folder: "plots/rq3-compilation_delta-pairs.svg".
std::string plot_file_name(std::string_view question, const OwnedPlot& plot);

/// The same of the samples behind it: "plots/rq3-compilation_delta-pairs-samples-1.svg".
std::string samples_file_name(std::string_view question, const OwnedPlot& plot, std::size_t strips);

/// (path below the output folder, text) of every text that analyzers made of a report, sorted by path:
/// "reports/<report without extension><suffix>", or a longer name where that is another report's.
std::vector<std::pair<std::string, std::string>> text_files(const RunResult& run);

}  // namespace assay
