// Sections of report.html, one function each.
#pragma once

#include <string>
#include <vector>

#include "render/fact_rows.hpp"
#include "render/html/html.hpp"
#include "render/html/page_budget.hpp"

namespace assay {

/// Input of all sections.
struct PageInput {
  std::vector<QuestionRun> questions;
  const FactRows& facts;      ///< those that the page holds
  std::size_t all_facts = 0;  ///< of the run
  PageBudget budget = {};
};

/// Name of a question for people.
std::string question_title(const Question& question);

/// "<a>12 facts</a>", which a script expands into a table; empty without evidence.
std::string facts_link(const PageInput& page, const QuestionRun& question, const std::vector<EvidenceRow>& evidence);

/// A folded part of a question; `said` is shown next to its title.
std::string folded_part(std::string_view title, std::string_view said, std::string_view content);

/// Study, question, answer, certainty, one figure and all verdicts: readable in ten seconds.
std::string first_screen(const PageInput& page);

/// Number of an answer as a headline: "8.0 % faster", "12.3 %"; empty if it has none.
std::string large_number(const QuestionResult& result, const OwnedFinding& finding);

/// Plot of an answer, small, without details of the full plot.
std::string small_figure(const QuestionRun& question, const OwnedPlot& plot);

/// A question as a card: answer, claims, plots, evidence, what was left out, tables.
std::string question_section(const PageInput& page, const QuestionRun& question);

/// Claims of a question with verdict, effect, interval, n and source, and the strata of each.
std::string claims_part(const PageInput& page, const QuestionRun& question);

/// What was left out, and issues of the reports.
std::string left_out_part(const QuestionRun& question);

/// Plots of a question with their specifications; that of the answer first, with its samples.
std::string plots_part(const PageInput& page, const QuestionRun& question, const OwnedPlot* first);

/// All facts as data; a script makes the table.
std::string facts_section(const PageInput& page);

/// Definitions of metrics, rules for verdicts, reuse of the plots.
std::string methods_section(const PageInput& page);

}  // namespace assay
