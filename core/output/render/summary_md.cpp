// summary.md, for pasting into a pull request: at most 25 lines.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "render/claimed_words.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/outputs.hpp"
#include "render/provenance.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kSummaryAnswers = 7, kSummaryClaims = 8, kSummaryQuestions = 16;
constexpr std::size_t kAnswerBytes = 2'000;  ///< characters; GitHub permits 65,536 per comment

std::string title_of(const QuestionRun& run) {
  return run.question.title.empty() ? run.question.id : run.question.title;
}

std::string line_of(const QuestionRun& run, const std::string& title) {
  return markdown(shortened(one_line(MetricWords(run.result.metrics).in_text(title)), kAnswerBytes));
}

std::vector<const OwnedFinding*> findings_of(const QuestionRun& run, bool caveats) {
  std::vector<const OwnedFinding*> out;
  for (const OwnedFinding& finding : run.result.findings) {
    if (caveats ? finding.analyzer.empty() : finding.role == FindingRole::kAnswer) out.push_back(&finding);
  }
  return out;
}

/// "4 refuted, 1 supported"; empty without claims.
std::string verdicts_of(const std::vector<QuestionRun>& runs, std::size_t& count) {
  std::vector<Verdict> verdicts;
  for (const QuestionRun& run : runs) {
    for (const OwnedClaim& claim : run.result.claims) verdicts.push_back(claim.verdict);
  }
  count = verdicts.size();
  return verdicts.empty() ? "" : verdict_counts(verdicts);
}

/// The claims, those first that need a look.
std::string claims_of(const QuestionRun& run) {
  std::vector<const OwnedClaim*> claims;
  for (const OwnedClaim& claim : run.result.claims) claims.push_back(&claim);
  constexpr int kPlace[] = {2, 0, 1, 3};  // refuted, inconclusive, supported, untestable
  std::ranges::stable_sort(claims, {},
                           [&](const OwnedClaim* claim) { return kPlace[static_cast<std::size_t>(claim->verdict)]; });
  std::string text;
  for (std::size_t i = 0; i < std::min(claims.size(), kSummaryClaims); ++i)
    text += fmt::format("- {}: {} ({})\n", verdict_name(claims[i]->verdict), line_of(run, claims[i]->text),
                        line_of(run, verdict_reason(*claims[i])));
  if (claims.size() > kSummaryClaims) text += "- " + counted(claims.size() - kSummaryClaims, "more claim") + "\n";
  return text.empty() ? text : text + "\n";
}

/// The only question: its answers, caveats, claims, and what was measured.
std::string one_question(const QuestionRun& run) {
  const std::vector<const OwnedFinding*> answers = findings_of(run, false), caveats = findings_of(run, true);
  std::string text;
  for (std::size_t i = 0; i < std::min(answers.size(), kSummaryAnswers); ++i)
    text += fmt::format("- **{}**\n", line_of(run, answers[i]->title));
  if (answers.empty()) text += "- no analyzer gave an answer; report.md says what was left out\n";
  if (answers.size() > kSummaryAnswers) text += "- " + counted(answers.size() - kSummaryAnswers, "more answer") + "\n";
  if (!caveats.empty()) text += fmt::format("- caveat: {}\n", line_of(run, caveats.front()->title));
  text += "\n" + claims_of(run);
  text += markdown(completeness_line(run.result.completeness, reports_of(run).question, run.result.skips));
  if (const std::string made = provenance_line(run); !made.empty()) text += "; " + markdown(made);
  return text + "\n";
}

/// A line for each of several questions.
std::string many_questions(const std::vector<QuestionRun>& runs) {
  std::string text;
  for (const QuestionRun& run : runs) {
    if (run.number >= kSummaryQuestions) break;
    const std::vector<const OwnedFinding*> answers = findings_of(run, false);
    std::size_t claims = 0;
    const std::string judged = verdicts_of({run}, claims);
    text += fmt::format("- **{}**{}: {}", markdown(title_of(run)), judged.empty() ? "" : " (" + judged + ")",
                        answers.empty() ? "no answer" : line_of(run, answers.front()->title));
    if (answers.size() > 1) text += fmt::format("; {}", counted(answers.size() - 1, "more answer"));
    text += "\n";
  }
  if (runs.size() > kSummaryQuestions)
    text += fmt::format("- {}\n", counted(runs.size() - kSummaryQuestions, "more question"));
  return text;
}

}  // namespace

std::string summary_md(const RunResult& run) {
  const std::vector<QuestionRun> runs = run.each_question();
  std::size_t claims = 0;
  const std::string verdicts = verdicts_of(runs, claims);
  const std::string line = claims == 0 ? "" : fmt::format("**{}** of {}.\n\n", verdicts, counted(claims, "claim"));
  return line + (runs.size() == 1 ? one_question(runs.front()) : many_questions(runs)) +
         "\nreport.md and report.html have evidence, plots, what was left out and definitions.\n";
}

}  // namespace assay
