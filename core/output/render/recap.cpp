#include "render/recap.hpp"

#include <fmt/core.h>

#include "files/percent.hpp"
#include "render/format.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/text.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxQuestions = 3;

std::string answer_of(const QuestionRun& question) {
  const MetricWords words(question.result.metrics);
  for (const OwnedFinding& finding : question.result.findings) {
    if (finding.role == FindingRole::kAnswer) return words.in_text(finding.title);
  }
  return "no analyzer could answer";
}

}  // namespace

std::string linked(const std::filesystem::path& file, const std::string& words, bool links) {
  std::error_code unknown;
  const std::filesystem::path whole = std::filesystem::absolute(file, unknown);
  if (!links || unknown) return words;
  return fmt::format("\x1b]8;;file://{}\x1b\\{}\x1b]8;;\x1b\\", uri_path(whole.lexically_normal().string()), words);
}

std::vector<std::string> recap(const RunResult& run, const std::filesystem::path& out, const TerminalStyle& style) {
  std::vector<std::string> lines;
  std::vector<Verdict> verdicts;
  const std::vector<QuestionRun> questions = run.each_question();
  for (const QuestionRun& question : questions) {
    for (const OwnedClaim& claim : question.result.claims) verdicts.push_back(claim.verdict);
    if (lines.size() == kMaxQuestions) continue;
    lines.push_back(shortened(one_line(question.question.title + ": " + answer_of(question)), style.width));
  }
  std::string rest = questions.size() > kMaxQuestions
                         ? "and " + counted(questions.size() - kMaxQuestions, "more question")
                         : std::string();
  if (!verdicts.empty())
    rest +=
        fmt::format("{}{}: {}", rest.empty() ? "" : "; ", counted(verdicts.size(), "claim"), verdict_counts(verdicts));
  if (!rest.empty()) lines.push_back(rest);
  const std::filesystem::path page = out / "report.html";
  lines.push_back("Report: " + linked(page, one_line(page.string()), style.colour));
  return lines;
}

}  // namespace assay
