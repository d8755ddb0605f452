// Input of the terminal summary, from a run that just ended or from stored results.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "render/left_out.hpp"
#include "render/render.hpp"

namespace assay {

/// One question; borrows `result`.
struct SummaryInput {
  std::string id, title, text;
  const QuestionResult* result = nullptr;
  ReportCounts reports;
  std::vector<IssueRow> issues;
  std::string made_with;  ///< from made_with_line
};

/// Prints like print_summary of a run.
void print_summary(std::span<const SummaryInput> questions, std::ostream& to, const TerminalStyle& style);

}  // namespace assay
