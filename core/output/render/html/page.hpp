// Parts of report.html; each writes its own section.
#pragma once

#include <string>
#include <vector>

#include "render/fact_rows.hpp"
#include "render/html/html.hpp"
#include "render/html/page_budget.hpp"

namespace assay {

/// What all parts write from.
struct PageInput {
  std::vector<QuestionRun> questions;
  const FactRows& facts;      ///< those that the page holds
  std::size_t all_facts = 0;  ///< of the run
  PageBudget budget = {};
};

/// Name of a question for people.
std::string question_title(const Question& question);

/// "<a>12 facts</a>", which a script opens into a table; empty without evidence.
std::string facts_link(const PageInput& page, const QuestionRun& question, const std::vector<EvidenceRow>& evidence);

/// A part of a question that is closed until somebody opens it; `said` stands beside its title.
std::string folded_part(std::string_view title, std::string_view said, std::string_view content);

/// Study, question, answer, certainty, one figure and all verdicts: what one reads in ten seconds.
std::string first_screen(const PageInput& page);

/// The number of an answer in the words of a headline: "8.0 % faster", "12.3 %"; empty where it has none.
std::string large_number(const QuestionResult& result, const OwnedFinding& finding);

/// The plot of an answer, small and without what an open part shows.
std::string small_figure(const QuestionRun& question, const OwnedPlot& plot);

/// One question as a card: answer, claims, plots, evidence, what was left out, tables.
std::string question_section(const PageInput& page, const QuestionRun& question);

/// The claims of a question with verdict, effect, interval, n and source, and each one's strata.
std::string claims_part(const PageInput& page, const QuestionRun& question);

/// What was left out and what was wrong with the reports.
std::string left_out_part(const QuestionRun& question);

/// The plots of a question with their specifications, that of the answer first and with its samples.
std::string plots_part(const PageInput& page, const QuestionRun& question, const OwnedPlot* first);

/// All facts as data; a script makes the table.
std::string facts_section(const PageInput& page);

/// How metrics are defined, how verdicts are made, how to reuse the plots.
std::string methods_section(const PageInput& page);

}  // namespace assay
