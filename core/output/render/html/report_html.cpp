#include <fmt/core.h>

#include "render/glossary.hpp"
#include "render/html/assets.hpp"
#include "render/html/page.hpp"
#include "render/outputs.hpp"
#include "render/plots/svg.hpp"

namespace assay {
namespace {

/// Hexadecimal bytes as base64, for the content security policy.
std::string head(const PageInput& page) {
  const Question& first = page.questions.front().question;
  const std::string title = page.questions.size() == 1 ? question_title(first)
                            : first.study.empty()      ? "Answers"
                                                       : first.study;
  return html_head(title + " – assay", std::string(kReportStyle) + svg_style(), base64_of_hex(kReportScriptSha256));
}

std::string link_to(const Question& question) {
  return fmt::format("<a href=\"#q-{}\">{}</a>", slug(question.id), html(question_title(question)));
}

std::string navigation(const PageInput& page) {
  std::string out = "<nav aria-label=\"Contents\"><p>assay</p><ul>";
  out += "<li><a href=\"#answers\">Summary</a></li>";
  for (const QuestionRun& question : page.questions) out += "<li>" + link_to(question.question) + "</li>";
  return out + "<li><a href=\"#facts\">Facts</a></li><li><a href=\"#methods\">Methods</a></li></ul></nav>\n";
}

}  // namespace

std::string question_title(const Question& question) { return question.title.empty() ? question.id : question.title; }

std::string report_html(const RunResult& run, const FactRows& facts) {
  std::vector<QuestionRun> questions = run.each_question();
  const PageBudget budget = budget_of(questions);
  const FactRows held = facts_for_page(facts, questions);
  const PageInput page{std::move(questions), held, facts.size(), budget};
  std::string out = fmt::format(
      "{}<body>\n<a class=\"skip\" href=\"#main\">Skip to the answers</a>\n<div class=\"layout\">\n{}<main "
      "id=\"main\">\n",
      head(page), navigation(page));
  out += first_screen(page);
  for (const QuestionRun& question : page.questions) out += with_glossary(question_section(page, question));
  out += facts_section(page) + methods_section(page) + "</main>\n</div>\n";
  return fmt::format("{}<script>{}</script>\n</body>\n</html>\n", out, std::string(kReportScript));
}

}  // namespace assay
