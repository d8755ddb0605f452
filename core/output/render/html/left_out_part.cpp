#include <fmt/core.h>

#include <algorithm>

#include "render/format.hpp"
#include "render/html/page.hpp"
#include "render/left_out.hpp"
#include "render/outputs.hpp"

namespace assay {
namespace {

constexpr std::size_t kMaxNamed = 200;  ///< reports per reason; findings.json names all

/// A list of names, folded if long.
std::string names_item(std::string_view what, const std::vector<std::string>& names) {
  constexpr std::size_t kMaxOpen = 6;
  if (names.empty()) return {};
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMaxNamed); ++i) list += "<li>" + html(names[i]) + "</li>";
  if (names.size() > kMaxNamed)
    list += "<li>and " + std::to_string(names.size() - kMaxNamed) + " more, in findings.json</li>";
  const std::string title = html(what) + ": " + std::to_string(names.size());
  return fmt::format("<li><details{}><summary>{}</summary><ul>{}</ul></details></li>\n",
                     std::string(names.size() <= kMaxOpen ? " open" : ""), title, list);
}

std::string completeness_list(const QuestionRun& question) {
  const Completeness& c = question.result.completeness;
  const ReportCounts counts = reports_of(question);
  std::string out = "<ul>\n<li>" + html(completeness_line(c, counts.question, question.result.skips)) + "</li>\n";
  if (const std::string made = made_with_line(question); !made.empty()) out += "<li>" + html(made) + "</li>\n";
  if (counts.noise > 0) {
    out += "<li>" + counted(counts.noise, "more profile") + " of repeat runs, used only for the noise floor</li>\n";
  }
  for (const auto& [what, names] : gaps_of(c)) out += names_item(what, names);
  return out + "</ul>\n";
}

}  // namespace

std::string left_out_part(const QuestionRun& question) {
  std::string out = completeness_list(question);
  const std::string number = std::to_string(question.number);
  const std::vector<SkipGroup> skips = skip_groups(question.result.skips);
  if (!skips.empty()) {
    HtmlTable table("left-out-" + number, "Left out, and why",
                    {{"by", {}}, {"why", {}}, {"reports", {}, true}, {"which", {}}});
    for (const SkipGroup& group : skips) {
      table.row({{group.analyzer.empty() ? "assay" : group.analyzer},
                 {(group.failed ? "failed: " : "") + group.reason},
                 {group.reports.empty() ? "" : std::to_string(group.reports.size())},
                 {some_of(group.reports, kMaxNamed)}});
    }
    out += fmt::format(
        "<details class=\"block\"><summary>Left out <span class=\"small\">{}</span></summary>\n{}</details>\n",
        counted(skips.size(), "reason"), table.str());
  }
  const std::vector<IssueGroup> issues = issue_groups(issue_rows(question));
  const std::string said =
      completeness_line(question.result.completeness, reports_of(question).question, question.result.skips);
  if (issues.empty()) return folded_part("Profiles", said, out);
  HtmlTable table("issues-" + number, "Issues of the profiles, worst first",
                  {{"severity", {}}, {"issue", {}}, {"reports", {}, true}, {"rows", {}, true}, {"example", {}}});
  for (const IssueGroup& group : issues) {
    table.row({{std::string(severity_name(group.severity))},
               {group.name},
               {std::to_string(group.reports)},
               {group.count == 0 ? "" : std::to_string(group.count)},
               {group.example}});
  }
  out += fmt::format(
      "<details class=\"block\"><summary>Issues of the profiles <span "
      "class=\"small\">{}</span></summary>\n{}</details>\n",
      counted(issues.size(), "kind"), table.str());
  return folded_part("Profiles", said, out);
}

}  // namespace assay
