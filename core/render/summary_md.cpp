// summary.md: what one pastes into a pull request.
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/markdown_parts.hpp"
#include "render/metric_words.hpp"
#include "render/outputs.hpp"
#include "render/provenance.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMostBytes = 58'000;  ///< of GitHub's 65,536 characters of a comment, with room for the frame

std::string section_of(const QuestionRun& run) {
  const QuestionResult& result = run.result;
  const MetricWords words(result.metrics);
  const std::string& title = run.question.title;
  std::string text;
  for (const OwnedFinding& finding : result.findings) {
    const bool host = finding.analyzer.empty();
    if (host || finding.role == FindingRole::kAnswer)
      text += "- **" + markdown(finding.title) + "**" + (host ? ": " + markdown(finding.text) : "") + "\n";
  }
  if (text.empty()) text = "- no analyzer gave an answer; report.md says what was left out\n";
  text += "\n" + markdown(completeness_line(result.completeness, reports_of(run).question)) + "\n\n" +
          markdown_answer_parts(run, answer_parts(result));
  if (!result.claims.empty()) text += markdown_claims(result);
  if (const std::string sources = sources_line(run.question); !sources.empty() && !result.claims.empty())
    text += "Sources: " + markdown(sources) + ".\n\n";
  if (const std::string made = provenance_line(run); !made.empty()) text = markdown(made) + "\n\n" + text;
  return "## " + markdown(title.empty() ? run.question.id : title) + "\n\n" + markdown(run.question.text) + "\n\n" +
         words.in_text(text);
}

}  // namespace

std::string summary_md(const RunResult& run) {
  std::string text = "# Answers\n\n";
  std::size_t left = 0;
  for (const QuestionRun& question : run.each_question()) {
    const std::string section = section_of(question);
    if (left > 0 || text.size() + section.size() > kMostBytes)
      ++left;
    else
      text += section;
  }
  if (left > 0) text += counted(left, "further question") + " in report.md.\n\n";
  return text + "Evidence, what was left out and definitions: report.md and report.html.\n";
}

}  // namespace assay
