// summary.md, for pasting into a pull request.
#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/markdown_parts.hpp"
#include "render/metric_words.hpp"
#include "render/outputs.hpp"
#include "render/provenance.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxBytes = 58'000;  ///< GitHub permits 65,536 characters per comment; leaves room for the frame

constexpr std::size_t kMaxAbove = 3;    ///< of one question among several, above the fold
constexpr std::size_t kMaxWords = 500;  ///< of all answers above the fold

std::size_t words_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ' ' && text[i] != '\n' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\n')) ++count;
  }
  return count;
}

std::string title_of(const QuestionRun& run) {
  return run.question.title.empty() ? run.question.id : run.question.title;
}

/// "**4 refuted, 1 supported** of 8 claims": first line for a reviewer.
std::string verdict_line(const std::vector<QuestionRun>& runs) {
  std::vector<Verdict> verdicts;
  for (const QuestionRun& run : runs) {
    for (const OwnedClaim& claim : run.result.claims) verdicts.push_back(claim.verdict);
  }
  if (verdicts.empty()) return "No claim was judged: these questions make none.\n\n";
  return fmt::format("**{}** of {}.\n\n", verdict_counts(verdicts), counted(verdicts.size(), "claim"));
}

/// Answers of a question in a few lines; all of them if it is the only one.
std::string answers_of(const QuestionRun& run, bool only) {
  const MetricWords words(run.result.metrics);
  std::string text;
  std::size_t shown = 0, more = 0;
  for (const OwnedFinding& finding : run.result.findings) {
    if (finding.role != FindingRole::kAnswer) continue;
    if (!only && shown == kMaxAbove) {
      ++more;
      continue;
    }
    ++shown;
    text += "- " + markdown(words.in_text(finding.title)) + "\n";
  }
  if (shown == 0) text = "- no analyzer gave an answer; report.md says what was left out\n";
  if (more > 0) text += "- and " + counted(more, "more answer") + " below\n";
  std::vector<Verdict> verdicts;
  for (const OwnedClaim& claim : run.result.claims) verdicts.push_back(claim.verdict);
  const std::string judged = only || verdicts.empty() ? "" : " (" + verdict_counts(verdicts) + ")";
  return fmt::format("**{}**{}\n{}\n", markdown(title_of(run)), judged, text);
}

std::string details_of(const QuestionRun& run) {
  const QuestionResult& result = run.result;
  const MetricWords words(result.metrics);
  std::string text;
  for (const OwnedFinding& finding : result.findings) {
    const bool host = finding.analyzer.empty();
    if (host || finding.role == FindingRole::kAnswer)
      text += fmt::format("- **{}**{}\n", markdown(finding.title), host ? ": " + markdown(finding.text) : "");
  }
  text += "\n" + markdown(completeness_line(result.completeness, reports_of(run).question, result.skips)) + "\n\n";
  const AnswerParts parts = answer_parts(result);
  if (parts.table != nullptr) text += markdown_table(*parts.table);
  if (!result.claims.empty()) text += markdown_claims(result);
  if (const std::string sources = sources_line(run.question); !sources.empty() && !result.claims.empty())
    text += "Sources: " + markdown(sources) + ".\n\n";
  if (const std::string made = provenance_line(run); !made.empty()) text += markdown(made) + "\n\n";
  return folded(title_of(run), markdown(run.question.text) + "\n\n" + words.in_text(text));
}

}  // namespace

std::string summary_md(const RunResult& run) {
  const std::vector<QuestionRun> runs = run.each_question();
  std::string text = verdict_line(runs);
  std::size_t words = words_in(text), folded_answers = 0;
  for (const QuestionRun& question : runs) {
    const std::string answers = answers_of(question, runs.size() == 1);
    words += words_in(answers);
    const bool fits = words <= kMaxWords && text.size() + answers.size() <= kMaxBytes / 2;
    if (!fits && &question != &runs.front())
      ++folded_answers;
    else
      text += answers;
  }
  if (folded_answers > 0) text += "The answers of " + counted(folded_answers, "more question") + " are below.\n\n";
  std::size_t left = 0;
  for (const QuestionRun& question : runs) {
    const std::string section = details_of(question);
    if (left > 0 || text.size() + section.size() > kMaxBytes)
      ++left;
    else
      text += section;
  }
  if (left > 0) text += counted(left, "more question") + " in report.md.\n\n";
  return text + "report.md and report.html have evidence, plots, what was left out and definitions.\n";
}

}  // namespace assay
