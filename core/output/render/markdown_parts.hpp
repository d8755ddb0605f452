// Pieces that report.md and summary.md share.
#pragma once

#include <string>
#include <vector>

#include "render/answer_parts.hpp"
#include "render/render.hpp"

namespace assay {

/// A table that is written row by row; cells are escaped. Numbers align right.
class MarkdownTable {
 public:
  struct Column {
    std::string title;
    bool right = false;
  };
  explicit MarkdownTable(std::vector<Column> columns);
  void row(const std::vector<std::string>& cells);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Beyond so many rows a table of Markdown says where the others stand.
inline constexpr std::size_t kMostMarkdownRows = 12;

/// The rows, then a sentence where some of them are left out.
std::string markdown_table(const OwnedTable& table);

/// The plot that shows the answer and the table that says it in few rows.
std::string markdown_answer_parts(const QuestionRun& run, const AnswerParts& parts);

/// One row a claim: verdict, what is claimed, the claimed range, what was measured, on how many runs, source.
/// The samples behind a plot as drawings, and commands that show the most unusual ones; empty without samples.
std::string markdown_samples(const QuestionRun& run, const OwnedPlot& plot);

std::string markdown_claims(const QuestionResult& result);

/// "![title](plots/...)" and its caption.
std::string markdown_plot(const std::string& question, const OwnedPlot& plot, bool caption);

/// A part that is closed until it is wanted.
std::string folded(std::string_view title, std::string_view content);

}  // namespace assay
