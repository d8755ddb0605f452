// Parts of report.html; each writes its own section.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "render/fact_rows.hpp"
#include "render/html/html.hpp"
#include "render/html/page_budget.hpp"

namespace assay {

/// What all parts write from.
struct PageInput {
  std::vector<QuestionRun> questions;
  const FactRows& facts;         ///< those that the page holds
  std::size_t every_report = 1;  ///< of each so many reports the facts of one
  std::size_t all_facts = 0;     ///< of the run
  PageBudget budget = {};
};

/// Name of a question for people.
std::string question_title(const Question& question);

/// "<a>12 facts</a>", which a script opens into a table; empty without evidence.
std::string facts_link(const PageInput& page, const QuestionRun& question, const std::vector<EvidenceRow>& evidence);

/// A part of a question that is closed until somebody opens it; `said` stands beside its title.
std::string folded_part(std::string_view title, std::string_view said, std::string_view content);

/// One question: answer, claims, plots, evidence, what was left out, tables.
std::string question_section(const PageInput& page, const QuestionRun& question);

/// The claims of a question with verdict, effect, interval, n and source, and each one's strata.
std::string claims_part(const PageInput& page, const QuestionRun& question);

/// What was left out and what was wrong with the reports.
std::string left_out_part(const QuestionRun& question);

/// A plot with its specification and a static drawing.
std::string plot_figure(const PageInput& page, const QuestionRun& question, const OwnedPlot& plot);

/// The plots of a question but the one that the answer shows.
std::string plots_part(const PageInput& page, const QuestionRun& question, const OwnedPlot* shown);

/// All facts as data; a script makes the table.
std::string facts_section(const PageInput& page);

/// How metrics are defined, how verdicts are made, how to reuse the plots.
std::string methods_section(const PageInput& page);

}  // namespace assay
