// What the terminal summary is made from, be it of a run just done or of results read back.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "render/left_out.hpp"
#include "render/render.hpp"

namespace assay {

/// One question; `result` is borrowed.
struct SummaryInput {
  std::string id, title, text;
  const QuestionResult* result = nullptr;
  ReportCounts reports;
  std::vector<IssueRow> issues;
  std::string made_with;  ///< as made_with_line says it
};

/// Prints as print_summary of a run does.
void print_summary(std::span<const SummaryInput> questions, std::ostream& to, const TerminalStyle& style);

}  // namespace assay
