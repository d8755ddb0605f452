// Shared by report.md and summary.md.
#pragma once

#include <string>
#include <vector>

#include "render/answer_parts.hpp"
#include "render/render.hpp"

namespace assay {

/// A table that is written row by row; cells are escaped, numbers right-aligned.
class MarkdownTable {
 public:
  struct Column {
    std::string title;
    bool right = false;
  };
  explicit MarkdownTable(const std::vector<Column>& columns);
  void row(const std::vector<std::string>& cells);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A longer Markdown table is cut and says where the rest is.
inline constexpr std::size_t kMaxMarkdownRows = 12;

/// The rows, then a sentence if some are left out.
std::string markdown_table(const OwnedTable& table);

/// Plot and small table of the answer.
std::string markdown_answer_parts(const QuestionRun& run, const AnswerParts& parts);

/// One row per claim: verdict, claim, claimed range, measurement, number of runs, source. Drawings of the samples
/// behind a plot, and commands that show the most unusual ones; empty without samples.
std::string markdown_samples(const QuestionRun& run, const OwnedPlot& plot);

std::string markdown_claims(const QuestionResult& result);

/// "![title](plots/...)" and its caption.
std::string markdown_plot(const std::string& question, const OwnedPlot& plot, bool caption);

/// A folded part.
std::string folded(std::string_view title, std::string_view content);

}  // namespace assay
