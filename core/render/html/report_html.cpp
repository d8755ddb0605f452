#include <array>
#include <map>

#include "render/format.hpp"
#include "render/glossary.hpp"
#include "render/html/assets.hpp"
#include "render/html/page.hpp"
#include "render/left_out.hpp"
#include "render/metric_words.hpp"
#include "render/outputs.hpp"
#include "render/plots/svg.hpp"
#include "render/plots/vega.hpp"
#include "render/provenance.hpp"

namespace assay {
namespace {

/// Bytes written in hexadecimal as base64: what a content security policy wants.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(digits.find(hex[i]) * 16 + digits.find(hex[i + 1]));
  return base64(bytes);
}

/// Only the one script of the program runs, nothing is fetched: whatever text a report holds.
std::string head(const PageInput& page) {
  const std::string title = page.questions.size() == 1 ? question_title(page.questions.front().question) : "Answers";
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-" +
         base64_of_hex(kReportScriptSha256) +
         "'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"generator\" content=\"assay\">\n<title>" +
         html(title) + " – assay</title>\n<style>\n" + std::string(kReportStyle) + svg_style() +
         "\n</style>\n</head>\n";
}

std::string link_to(const Question& question) {
  return "<a href=\"#q-" + slug(question.id) + "\">" + html(question_title(question)) + "</a>";
}

std::string navigation(const PageInput& page) {
  std::string out = "<nav aria-label=\"Contents\"><p>assay</p><ul>";
  if (page.questions.size() > 1) out += "<li><a href=\"#answers\">Answers</a></li>";
  for (const QuestionRun& question : page.questions) out += "<li>" + link_to(question.question) + "</li>";
  return out + "<li><a href=\"#facts\">Facts</a></li><li><a href=\"#methods\">Methods</a></li></ul></nav>\n";
}

std::string verdict_cell(const QuestionResult& result) {
  std::array<std::size_t, 4> counts{};
  for (const OwnedClaim& claim : result.claims) ++counts[static_cast<std::size_t>(claim.verdict)];
  std::string out;
  for (std::size_t v = 0; v < counts.size(); ++v) {
    if (counts[v] > 0) out += verdict_chip(static_cast<Verdict>(v), std::to_string(counts[v])) + " ";
  }
  return out;
}

/// The answers of all questions in one table.
std::string overview(const PageInput& page) {
  HtmlTable table("answers-table", "One line a question; the claims judged and how",
                  {{"question", {}}, {"answer", {}}, {"claims", {}}, {"reports", {}}}, "claims");
  for (const QuestionRun& question : page.questions) {
    const QuestionResult& result = question.result;
    std::string answers;
    for (const OwnedFinding& finding : result.findings) {
      if (finding.role == FindingRole::kAnswer) answers += "<div>" + html(finding.title) + "</div>";
    }
    answers = MetricWords(result.metrics).in_html(answers);
    if (answers.empty()) answers = "no analyzer gave an answer";
    const Completeness& c = result.completeness;
    const std::string reports = c.expected > 0 ? std::to_string(c.present) + " of " + std::to_string(c.expected)
                                               : std::to_string(reports_of(question).question);
    table.row({{link_to(question.question), true}, {answers, true}, {verdict_cell(result), true}, {reports}});
  }
  // What all questions share is said once.
  std::map<std::string_view, const std::vector<OwnedAttribute>*> read;
  for (const QuestionRun& question : page.questions) {
    for (const ReportRun& report : question.reports) {
      if (report.result.loaded) read.emplace(report.file.name, &report.result.attributes);
    }
  }
  ReportAttributes attributes;
  for (const auto& [name, own] : read) attributes.push_back(own);
  const std::string made =
      attributes.empty() ? "" : counted(attributes.size(), "report") + "; " + made_with_line(attributes);
  return "<section id=\"answers\" aria-labelledby=\"answers-title\"><h1 id=\"answers-title\">Answers</h1>\n"
         "<p class=\"lead\">n is the number of runs that a number rests on; a verdict is made by its interval "
         "alone.</p>\n" +
         table.str() + (made.empty() ? "" : "<p class=\"small\">" + html(made) + "</p>\n") + "</section>\n";
}

}  // namespace

std::string question_title(const Question& question) { return question.title.empty() ? question.id : question.title; }

std::string report_html(const RunResult& run, const FactRows& facts) {
  const PageFacts held = facts_for_page(facts);
  std::vector<QuestionRun> questions = run.each_question();
  const PageBudget budget = budget_of(questions);
  const PageInput page{std::move(questions), held.every > 1 ? held.chosen : facts, held.every, facts.size(), budget};
  std::string out = head(page) +
                    "<body>\n<a class=\"skip\" href=\"#main\">Skip to the answers</a>\n<div class=\"layout\">\n" +
                    navigation(page) + "<main id=\"main\">\n";
  if (page.questions.size() > 1) out += overview(page);
  for (const QuestionRun& question : page.questions) out += with_glossary(question_section(page, question));
  out += facts_section(page) + methods_section(page) + "</main>\n</div>\n";
  out += json_element("plot-themes", {{"light", vega_config(false)}, {"dark", vega_config(true)}});
  return out + "<script>" + std::string(kReportScript) + "</script>\n</body>\n</html>\n";
}

}  // namespace assay
